package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/** A history row that a new run takes over from another run, with the new row's id. */
record CopiedStep(JobId original, JobId copy, RunId run) {}
