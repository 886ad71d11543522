package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.Optional;

/**
 * A queue entry that is removed without an event of its own.
 *
 * @param key of the job or the wait
 * @param reason why the entry is canceled, for its history row; absent for the time limit of something that has ended,
 *     which writes no row
 */
public record Withdrawal(StepKey key, Optional<JobError> reason) {
    public Withdrawal {
        requireNonNull(key, "key");
        requireNonNull(reason, "reason");
    }
}
