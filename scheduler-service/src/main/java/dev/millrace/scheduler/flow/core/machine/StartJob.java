package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/**
 * A job to put into the queue.
 *
 * @param attempt number of the attempt, from 1; more where the machine lets the task begin again
 * @param cache where a result that is kept ends it, and its own is to be kept
 * @param id that its input has; absent where any will do
 */
public record StartJob(
        StepKey key,
        JobTarget target,
        String name,
        Json input,
        JobOptions options,
        int attempt,
        Optional<CacheUse> cache,
        Optional<JobId> id)
        implements QueueEntry {}
