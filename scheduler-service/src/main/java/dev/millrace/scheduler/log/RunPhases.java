package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.RunId;

/** What the log service needs to know about runs. */
public interface RunPhases {
    /** Whether a run is known and has ended. */
    enum Phase {
        UNKNOWN,
        LIVE,
        ENDED
    }

    Phase phaseOf(RunId run);
}
