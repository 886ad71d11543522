package dev.millrace.scheduler.option;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.RunId;

/** Options that are to be kept with a run; one of them at least is present. */
public record RunOption(RunId run, KeptOptions options) {}
