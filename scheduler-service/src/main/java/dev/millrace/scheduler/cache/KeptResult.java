package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** The result of a step to be cached; of a run if {@code stepKey} is empty. */
record KeptResult(RunId run, String stepKey, Json result) {}
