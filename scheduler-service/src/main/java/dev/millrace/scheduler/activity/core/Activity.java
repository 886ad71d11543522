package dev.millrace.scheduler.activity.core;

/** Runs of a workspace that were accepted and that have ended, and the waits of its jobs, within some time. */
public record Activity(long accepted, long succeeded, long failed, long canceled, WaitHistogram waits) {
    /** Nothing happened. */
    public static final Activity NONE = new Activity(0, 0, 0, 0, WaitHistogram.EMPTY);

    /** Both together. */
    public Activity plus(Activity other) {
        return new Activity(
                accepted + other.accepted,
                succeeded + other.succeeded,
                failed + other.failed,
                canceled + other.canceled,
                waits.plus(other.waits));
    }
}
