package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Outcome;

/**
 * A row of the history as the fold reads it.
 *
 * @param id increases with the time at which the job, or a row without a job, was created
 */
public record FinishedStep(JobId id, JobKind kind, StepKey key, Outcome outcome) {}
