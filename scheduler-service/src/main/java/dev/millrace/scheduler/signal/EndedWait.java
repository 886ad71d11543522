package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;

/** A wait that ends, with its outcome. */
public record EndedWait(JobId id, RunId run, String stepKey, Outcome outcome) {}
