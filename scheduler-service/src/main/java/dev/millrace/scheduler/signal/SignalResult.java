package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.signal.core.Reception;

/** What became of a signal that was sent. */
public sealed interface SignalResult {
    /** The run has it, as of now or of an earlier call; what this meant. Durable unless the reception is a refusal. */
    record Received(Reception reception) implements SignalResult {}

    /** There is no such run. */
    record UnknownRun() implements SignalResult {}

    /** The run has ended. */
    record RunEnded() implements SignalResult {}

    /** The run is a single job, which waits for nothing. */
    record NoFlow() implements SignalResult {}
}
