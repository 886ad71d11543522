package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import java.util.Optional;

/**
 * What leaves the queue without an event of its own.
 *
 * @param key of the job or the wait
 * @param reason why it is canceled, which leaves a row; absent for the time limit of something that has ended, which leaves none
 */
public record Withdrawal(StepKey key, Optional<JobError> reason) {
    public Withdrawal {
        requireNonNull(key, "key");
        requireNonNull(reason, "reason");
    }
}
