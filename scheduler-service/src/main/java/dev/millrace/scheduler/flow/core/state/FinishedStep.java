package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Outcome;

/**
 * A row of history as the fold reads it.
 *
 * @param id grows with the time at which the job was made or the row came about
 */
public record FinishedStep(JobId id, JobKind kind, StepKey key, Outcome outcome) {}
