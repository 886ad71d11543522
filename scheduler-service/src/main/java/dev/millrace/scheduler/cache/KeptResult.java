package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** The result of a step, or of a run where {@code stepKey} is empty, that is to be kept as its call asks for. */
record KeptResult(RunId run, String stepKey, Json result) {}
