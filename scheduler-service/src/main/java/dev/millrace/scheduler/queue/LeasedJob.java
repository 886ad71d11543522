package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;

/**
 * A job that a worker has leased.
 *
 * @param slot the session and slot group that hold the job
 * @param token fences the job's result
 */
public record LeasedJob(QueuedJob job, SlotRef slot, LeaseToken token) {
    public LeasedJob {
        requireNonNull(job, "job");
        requireNonNull(slot, "slot");
        requireNonNull(token, "token");
    }

    public LeaseKey key() {
        return new LeaseKey(job.id(), token);
    }
}
