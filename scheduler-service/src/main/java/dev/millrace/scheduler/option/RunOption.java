package dev.millrace.scheduler.option;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.RunId;

/** Options to keep with a run; at least one is present. */
public record RunOption(RunId run, KeptOptions options) {}
