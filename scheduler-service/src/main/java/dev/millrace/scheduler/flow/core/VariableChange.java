package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;

/** What a change of variables leaves in its row: {@code {"n": number, "set": {…}}}. */
final class VariableChange {
    private VariableChange() {}

    static JsonValue of(long number, JsonValue values) {
        return JsonValue.of("{\"n\":" + number + ",\"set\":" + values + "}");
    }

    static long number(JsonValue change) {
        return Long.parseLong(
                change.members().getOrDefault("n", JsonValue.of(0)).toString());
    }

    static JsonValue values(JsonValue change) {
        return change.members().getOrDefault("set", JsonValue.EMPTY_OBJECT);
    }
}
