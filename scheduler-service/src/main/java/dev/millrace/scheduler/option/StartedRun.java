package dev.millrace.scheduler.option;

import dev.millrace.scheduler.queue.core.RunId;

/** A run that another run starts. */
public record StartedRun(RunId run, RunId parent) {}
