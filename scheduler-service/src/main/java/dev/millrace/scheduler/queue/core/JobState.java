package dev.millrace.scheduler.queue.core;

/** The state of a live job, with its code in the database. */
public enum JobState {
    QUEUED(1),
    LEASED(2),
    DELAYED(3),
    FLOW_RUNNING(4),
    /** The job is a wait for events. */
    SUSPENDED(5),
    /** The run of the job is paused. */
    HELD(6),
    /** The job is the root of a run that no scheduler has started yet. */
    TO_START(7);

    private final short code;

    JobState(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }
}
