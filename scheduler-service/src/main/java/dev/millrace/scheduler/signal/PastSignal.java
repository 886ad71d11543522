package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.signal.core.SignalKind;

/**
 * A signal that was received before.
 *
 * @param name the name it was sent to; empty if it was sent to a step
 * @param stepKey the step it was sent to; empty if it was sent to a name
 * @param payload JSON, as received
 * @param taker key of the step that took the signal; empty if none has taken it
 */
record PastSignal(SignalKind kind, String name, String stepKey, String payload, String taker) {}
