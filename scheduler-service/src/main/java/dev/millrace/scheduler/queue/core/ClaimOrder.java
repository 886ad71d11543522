package dev.millrace.scheduler.queue.core;

import java.time.Duration;

/**
 * A place in the queue of one tag: higher priority first, then the run that was accepted earlier.
 *
 * <p>Runs that began earlier end earlier. Yet a run with many jobs at once must not keep later ones waiting until the last of these is done: only the
 * first {@link #JOBS_OF_ITS_AGE} stand where the run does, each further one as if the run had been accepted a moment later.
 *
 * @param priority of the job
 * @param orderKey of its run, see {@link RunId#orderKey}, or later
 */
public record ClaimOrder(int priority, long orderKey) implements Comparable<ClaimOrder> {
    /** So many jobs of a run in progress stand in the queue by the age of the run. */
    public static final int JOBS_OF_ITS_AGE = 16;

    /** How much younger each further one counts as the one before. */
    static final Duration YOUNGER_EACH = Duration.ofMillis(250);

    /** Before every job. */
    public static final ClaimOrder FIRST = new ClaimOrder(Integer.MAX_VALUE, Long.MIN_VALUE);

    /**
     * The order key of a further job of a run.
     *
     * @param runKey that of the run
     * @param inProgress how many jobs of the run are in progress before this one
     */
    public static long keyOf(long runKey, int inProgress) {
        int beyond = Math.max(0, inProgress + 1 - JOBS_OF_ITS_AGE);
        return runKey + beyond * RunId.orderKeys(YOUNGER_EACH);
    }

    @Override
    public int compareTo(ClaimOrder other) {
        return priority != other.priority
                ? Integer.compare(other.priority, priority)
                : Long.compare(orderKey, other.orderKey);
    }
}
