package dev.millrace.scheduler.attempt;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that did not end its job.
 *
 * @param number of the attempt, from 1
 * @param began absent if the job had not begun, or nobody knows when
 * @param worker name of the worker that had the job
 */
public record EarlierAttempt(
        JobId job, int number, Optional<Instant> began, Instant ended, String worker, JobError error) {
    public EarlierAttempt {
        requireNonNull(job, "job");
        requireNonNull(began, "began");
        requireNonNull(ended, "ended");
        requireNonNull(worker, "worker");
        requireNonNull(error, "error");
    }
}
