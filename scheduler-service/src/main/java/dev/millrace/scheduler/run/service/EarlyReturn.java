package dev.millrace.scheduler.run.service;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** A step's result that a flow returns to waiting callers while the run continues. */
record EarlyReturn(String stepKey, Json result) {
    EarlyReturn {
        requireNonNull(stepKey, "stepKey");
        requireNonNull(result, "result");
    }
}
