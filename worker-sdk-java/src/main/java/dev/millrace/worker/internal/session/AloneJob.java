package dev.millrace.worker.internal.session;

import org.jspecify.annotations.Nullable;

/**
 * The job that must run alone, if the worker holds one. Meanwhile the worker requests no other jobs and returns those
 * that still arrive. The job begins once all others have ended. The session's monitor guards it, except for
 * {@link #isHeld}.
 */
final class AloneJob {
    static final String REASON = "A job that may have ended its workers runs here, and nothing may run beside it.";

    private volatile @Nullable LeasedJob job;
    private boolean begun;

    /** Whether there is such a job, waiting or running. Any thread may call this. */
    boolean isHeld() {
        return job != null;
    }

    /** Keeps the job until {@link #next} hands it out. */
    void take(LeasedJob alone) {
        job = alone;
        begun = false;
    }

    /**
     * Returns the job once, when all others have ended.
     *
     * @param heldJobs number of jobs that the worker holds, including this one
     */
    @Nullable LeasedJob next(int heldJobs) {
        LeasedJob alone = job;
        if (alone == null || begun || heldJobs > 1) {
            return null;
        }
        begun = true;
        return alone;
    }

    /** The job if it has not begun. */
    @Nullable LeasedJob waiting() {
        return begun ? null : job;
    }

    /** Forgets the job if it is this one, which the worker does not hold any more. */
    void forget(LeasedJob gone) {
        if (gone.equals(job)) {
            job = null;
        }
    }
}
