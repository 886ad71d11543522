package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/** A row of history that a run takes over from another under an id of its own. */
record CopiedStep(JobId original, JobId copy, RunId run) {}
