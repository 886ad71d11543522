package dev.millrace.worker.internal.session;

import org.jspecify.annotations.Nullable;

/**
 * The job beside which nothing may run here, if the worker holds such a job. While it does, the worker asks for no other jobs and returns those that
 * arrive all the same; the job begins once all others have ended. Guarded by the session's monitor, but for {@link #isHeld}.
 */
final class AloneJob {
    static final String REASON = "A job that may have ended its workers runs here, and nothing may run beside it.";

    private volatile @Nullable LeasedJob job;
    private boolean begun;

    /** Whether there is such a job, waiting or running. Any thread may ask. */
    boolean isHeld() {
        return job != null;
    }

    /** Takes the job, which waits until {@link #next} hands it out. */
    void take(LeasedJob alone) {
        job = alone;
        begun = false;
    }

    /**
     * The job, once, if all others have ended.
     *
     * @param heldJobs how many jobs the worker holds, this one included
     */
    @Nullable LeasedJob next(int heldJobs) {
        LeasedJob alone = job;
        if (alone == null || begun || heldJobs > 1) {
            return null;
        }
        begun = true;
        return alone;
    }

    /** The job where it has not begun. */
    @Nullable LeasedJob waiting() {
        return begun ? null : job;
    }

    /** Forgets the job if it is this one, which the worker holds no more. */
    void forget(LeasedJob gone) {
        if (gone.equals(job)) {
            job = null;
        }
    }
}
