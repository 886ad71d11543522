package dev.millrace.scheduler.alert;

/** Whether there may be one more alert. */
enum Room {
    FREE,
    /** The workspace has as many alerts as it may have. */
    WORKSPACE_FULL,
    /** The workspace has as many alerts with a topic as it may have. */
    STREAMS_OF_WORKSPACE_FULL,
    /** The installation has as many alerts with a topic as it may have. */
    STREAMS_FULL
}
