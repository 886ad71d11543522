package dev.millrace.scheduler.queue.core;

/**
 * A place in the queue of one tag: higher priority first, then the run that was accepted earlier.
 *
 * @param priority of the job
 * @param orderKey of its run, see {@link RunId#orderKey}
 */
public record ClaimOrder(int priority, long orderKey) implements Comparable<ClaimOrder> {
    /** Before every job. */
    public static final ClaimOrder FIRST = new ClaimOrder(Integer.MAX_VALUE, Long.MIN_VALUE);

    @Override
    public int compareTo(ClaimOrder other) {
        return priority != other.priority
                ? Integer.compare(other.priority, priority)
                : Long.compare(orderKey, other.orderKey);
    }
}
