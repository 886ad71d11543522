package dev.millrace.scheduler.attempt;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that ends in a flush without ending its job.
 *
 * @param job as it was leased
 * @param runMicros duration in microseconds; negative if it never began or its worker was lost
 * @param began when a job of a lost worker began; absent if it had not begun, or this scheduler does not know
 */
record EndedAttempt(QueuedJob job, long runMicros, Optional<Instant> began, String worker, JobError error) {
    EndedAttempt {
        requireNonNull(job, "job");
        requireNonNull(began, "began");
        requireNonNull(worker, "worker");
        requireNonNull(error, "error");
    }
}
