package dev.millrace.flowtest.lease;

/**
 * What keeps an attempt from running twice. The explorer turns guards off to show that it finds what they prevent.
 *
 * @param views whether a lease is added through a view that was opened before the database was read
 * @param streams whether a stream sends a lease only while it is held
 * @param worker whether the worker remembers the leases that have ended
 */
record Guards(boolean views, boolean streams, boolean worker) {
    static final Guards ALL = new Guards(true, true, true);
    static final Guards SCHEDULER_ALONE = new Guards(true, true, false);
    static final Guards WORKER_ALONE = new Guards(false, false, true);

    /** Whether the scheduler itself must send no lease twice or after its end. */
    boolean areInScheduler() {
        return views && streams;
    }
}
