package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.Outcome;

/** A row of history as the fold reads it. */
public record FinishedStep(StepKey key, Outcome outcome) {}
