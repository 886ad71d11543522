package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;

/**
 * A live step that leaves the queue.
 *
 * @param reason reason of its history row as canceled; absent if it gets no row
 * @param begunHere the step's job if the same batch has enqueued it; absent for an earlier job
 * @param begunAgain jobs that the same batch has enqueued under the key of an earlier job, and that stay
 */
public record WithdrawnStep(
        RunId run, String stepKey, Optional<JobError> reason, Optional<JobId> begunHere, List<JobId> begunAgain)
        implements StepsStatement.StepRow {}
