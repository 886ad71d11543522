package dev.millrace.scheduler.schedule.core;

/** What becomes of a tick while the run of an earlier tick has not ended. */
public enum OverlapPolicy {
    /** Nothing starts. */
    SKIP,
    /** One tick waits for the end of the run; further ones start nothing. */
    BUFFER_ONE,
    /** All ticks wait, and their runs follow one another. */
    BUFFER_ALL,
    /** The run is canceled, and the next one starts. */
    CANCEL_RUNNING,
    /** Runs overlap. */
    ALLOW
}
