package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;

/** What the log service needs to know about runs. */
public interface RunPhases {
    /** Whether a run is known and has ended. */
    enum Phase {
        UNKNOWN,
        LIVE,
        ENDED
    }

    Phase phaseOf(RunRef run);

    /** The id of a run that the workspace has. Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND}. */
    RunId resolve(RunRef run);
}
