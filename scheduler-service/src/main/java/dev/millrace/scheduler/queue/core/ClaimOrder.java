package dev.millrace.scheduler.queue.core;

import java.time.Duration;

/**
 * A place in the queue of one tag: by descending priority, then by the time at which the run was accepted.
 *
 * <p>Runs that begin earlier should end earlier. Yet a run with many parallel jobs must not make later runs wait until
 * the last of these jobs is done. So only the first {@link #JOBS_OF_ITS_AGE} jobs have the place of their run. Each
 * further job counts as if its run had been accepted a little later.
 *
 * @param priority of the job
 * @param orderKey of the job's run, see {@link RunId#orderKey}, or later
 */
public record ClaimOrder(int priority, long orderKey) implements Comparable<ClaimOrder> {
    /** Number of jobs of a run that may be in progress before further ones lose their place. */
    public static final int JOBS_OF_ITS_AGE = 16;

    /** Additional delay in the order for each further job. */
    static final Duration YOUNGER_EACH = Duration.ofMillis(250);

    /** The place before every job. */
    public static final ClaimOrder FIRST = new ClaimOrder(Integer.MAX_VALUE, Long.MIN_VALUE);

    /**
     * Returns the order key of another job of a run.
     *
     * @param runKey order key of the run
     * @param inProgress number of jobs of the run that are already in progress
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
