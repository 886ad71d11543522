package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;

/** A step that waits for a worker in vain, and is to end as failed. */
record FailedStep(RunId run, String stepKey, JobError error) {}
