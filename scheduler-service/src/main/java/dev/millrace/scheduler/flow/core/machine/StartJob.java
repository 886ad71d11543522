package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/**
 * A job to enqueue.
 *
 * @param attempt number of the attempt, from 1; greater than 1 if the machine retries the task
 * @param cache the use of the result cache; absent for none
 * @param id the id that the input contains; absent if the queue may choose it
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
