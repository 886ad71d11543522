package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.signal.core.Reception;

/** The result of sending a signal. */
public sealed interface SignalResult {
    /** The run has received the signal, now or in an earlier call. Durable, unless the reception is a rejection. */
    record Received(Reception reception) implements SignalResult {}

    record UnknownRun() implements SignalResult {}

    /** The run has ended. */
    record RunEnded() implements SignalResult {}

    /** The run is a single job, which never waits. */
    record NoFlow() implements SignalResult {}
}
