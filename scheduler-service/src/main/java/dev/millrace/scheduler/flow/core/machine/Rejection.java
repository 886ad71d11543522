package dev.millrace.scheduler.flow.core.machine;

/** The reason why an event changed nothing. */
public enum Rejection {
    /** The run has already begun. */
    ALREADY_STARTED,
    /** The step has no live job: it has ended or never began. */
    STEP_NOT_LIVE,
    /** The run has ended. */
    RUN_ENDED
}
