package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;

/** A run whose live jobs are to be canceled. */
record CanceledRun(RunId run, JobError reason) implements RunRowsStatement.RunRow {}
