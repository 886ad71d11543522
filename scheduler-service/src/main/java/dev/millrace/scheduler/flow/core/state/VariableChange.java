package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.StoredJson;

/** Reads and writes the row of a variable change: {@code {"n": number, "set": {…}}}. */
public final class VariableChange {
    private VariableChange() {}

    public static JsonValue of(long number, JsonValue values) {
        return JsonValue.of("{\"n\":" + number + ",\"set\":" + values + "}");
    }

    static long number(JsonValue change) {
        return Long.parseLong(
                change.members().getOrDefault("n", JsonValue.of(0)).toString());
    }

    /** Returns the values of a row. The values of a stored row remain in the database until they are read. */
    static JsonValue values(Json row) {
        return row.stored()
                .map(stored -> JsonValue.of(Json.stored(new StoredValues(stored))))
                .orElseGet(() -> values(JsonValue.of(row)));
    }

    private record StoredValues(StoredJson row) implements StoredJson {
        @Override
        public int storedBytes() {
            return row.storedBytes();
        }

        @Override
        public String read() {
            return values(JsonValue.of(row.read())).text();
        }
    }

    static JsonValue values(JsonValue change) {
        return change.members().getOrDefault("set", JsonValue.EMPTY_OBJECT);
    }
}
