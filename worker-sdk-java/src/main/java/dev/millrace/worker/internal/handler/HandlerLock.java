package dev.millrace.worker.internal.handler;

import dev.millrace.worker.JobLock;
import dev.millrace.worker.internal.session.LeasedJob;
import dev.millrace.worker.internal.step.LockWish;
import dev.millrace.worker.internal.step.StepAnswer;
import dev.millrace.worker.internal.step.StepClient;

/** A mutex that a handler holds. */
record HandlerLock(LeasedJob job, StepClient steps, LockWish wish, long fence) implements JobLock {
    /** Waits for the scheduler: after the end of the job, the mutex could not be released any more. */
    @Override
    public void close() {
        StepAnswer unused = steps.release(job, wish).join();
    }
}
