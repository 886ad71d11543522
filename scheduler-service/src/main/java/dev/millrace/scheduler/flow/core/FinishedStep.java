package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;

/**
 * A row of history as the fold reads it.
 *
 * @param id grows with the time at which the job was made or the row came about
 */
public record FinishedStep(JobId id, StepKind kind, StepKey key, Outcome outcome) {}
