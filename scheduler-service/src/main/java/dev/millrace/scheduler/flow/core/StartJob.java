package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;

/** A job to put into the queue. */
public record StartJob(StepKey key, JobTarget target, String name, Json input, JobOptions options)
        implements QueueEntry {}
