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
    HELD(6);

    private final short code;

    JobState(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }
}
