package dev.millrace.scheduler.flow.core.machine;

/** Why an event changed nothing. */
public enum Rejection {
    /** The run has begun already. */
    ALREADY_STARTED,
    /** No job of that step is in progress: it ended before, or never began. */
    STEP_NOT_LIVE,
    /** The run has ended. */
    RUN_ENDED
}
