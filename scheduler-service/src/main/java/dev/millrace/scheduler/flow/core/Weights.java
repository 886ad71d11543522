package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** Rough bytes of the parts of a state. */
final class Weights {
    static final long CHAR = 2;
    static final long NODE = 24;
    static final long SCOPE = 160;
    static final long KEY = 96;
    static final long VALUE = 64;

    private Weights() {}

    static long of(Json json) {
        return VALUE + CHAR * json.text().length();
    }

    static long of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded(Json result) -> of(result);
            case Outcome.Skipped(Json result) -> of(result);
            case Outcome.Failed _, Outcome.Canceled _ -> VALUE;
        };
    }

    static long of(JsonValue value) {
        return VALUE + CHAR * value.length();
    }
}
