package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** Estimates the memory that the parts of a state occupy, in bytes. */
public final class Weights {
    static final long CHAR = 2;
    static final long NODE = 24;
    static final long SCOPE = 160;
    static final long KEY = 96;
    static final long VALUE = 64;

    private Weights() {}

    public static long of(Json json) {
        return VALUE + (json.stored().isPresent() ? 0 : CHAR * json.text().length());
    }

    public static long of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded(Json result) -> of(result);
            case Outcome.Skipped(Json result) -> of(result);
            case Outcome.Failed(JobError error) ->
                VALUE + error.result().map(Weights::of).orElse(0L);
            case Outcome.Canceled _ -> VALUE;
        };
    }

    public static long of(JsonValue value) {
        return VALUE + CHAR * lengthInMemory(value);
    }

    /** Number of characters that the value holds in memory. */
    static int lengthInMemory(JsonValue value) {
        return value.storedBytes() > 0 ? 0 : value.length();
    }

    /** Returns the part of a result's weight that a fresh fold would leave in the history. */
    static long ofStorable(JsonValue result) {
        int length = lengthInMemory(result);
        return length > FlowLimits.RESULT_HELD_LENGTH_MAX ? CHAR * length : 0;
    }
}
