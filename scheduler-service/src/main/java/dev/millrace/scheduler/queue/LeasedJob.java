package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;

/**
 * A job in the hands of a worker.
 *
 * @param slot the session and slot group that hold it
 * @param token fences its result
 */
public record LeasedJob(QueuedJob job, SlotRef slot, LeaseToken token) {
    public LeasedJob {
        requireNonNull(job, "job");
        requireNonNull(slot, "slot");
        requireNonNull(token, "token");
    }
}
