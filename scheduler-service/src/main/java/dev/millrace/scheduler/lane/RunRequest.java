package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** A request about a run that its caller may repeat, under the id that the caller chose for it. */
public record RunRequest(RunId run, String id) {}
