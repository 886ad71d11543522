package dev.millrace.worker.internal.handler;

import dev.millrace.worker.JobLock;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.jobapi.LockWish;
import dev.millrace.worker.internal.session.LeasedJob;

/** A mutex that a handler holds. */
record HandlerLock(LeasedJob job, JobApiClient steps, LockWish wish, long fence) implements JobLock {
    /** Waits for the scheduler: after the end of the job, the mutex could not be released any more. */
    @Override
    public void close() {
        JobApiAnswer unused = steps.release(job, wish).join();
    }
}
