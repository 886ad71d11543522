package dev.millrace.scheduler.run.service;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** What a flow returns to callers that wait, while the run goes on: the result of one of its steps. */
record EarlyReturn(String stepKey, Json result) {
    EarlyReturn {
        requireNonNull(stepKey, "stepKey");
        requireNonNull(result, "result");
    }
}
