package dev.millrace.scheduler.queue.core;

/** Where a live job stands, with the code that stands for it in the database. */
public enum JobState {
    QUEUED(1),
    LEASED(2),
    DELAYED(3),
    FLOW_RUNNING(4),
    /** A wait for events. */
    SUSPENDED(5),
    /** Its run is paused. */
    HELD(6),
    /** The root of a run that a scheduler has yet to start. */
    TO_START(7);

    private final short code;

    JobState(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }
}
