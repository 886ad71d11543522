package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.signal.core.SignalKind;

/**
 * A signal that has come before.
 *
 * @param name that it was sent to; empty where it was sent to a step
 * @param stepKey that it was sent to; empty where it was sent to a name
 * @param payload its JSON as it came
 * @param taker key of the step that took it; empty where none has yet
 */
record PastSignal(SignalKind kind, String name, String stepKey, String payload, String taker) {}
