package dev.millrace.scheduler.event;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** An operation that has changed a live run. */
record RunChange(RunId run, String type, Json detail) {}
