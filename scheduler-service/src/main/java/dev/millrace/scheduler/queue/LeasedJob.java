package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;

/**
 * A job in the hands of a worker.
 *
 * @param seat the session and slot group that hold it
 * @param token fences its result
 */
public record LeasedJob(QueuedJob job, Seat seat, LeaseToken token) {
    public LeasedJob {
        requireNonNull(job, "job");
        requireNonNull(seat, "seat");
        requireNonNull(token, "token");
    }
}
