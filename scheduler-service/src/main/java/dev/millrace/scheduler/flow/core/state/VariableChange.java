package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.StoredJson;

/** What a change of variables leaves in its row: {@code {"n": number, "set": {…}}}. */
public final class VariableChange {
    private VariableChange() {}

    public static JsonValue of(long number, JsonValue values) {
        return JsonValue.of("{\"n\":" + number + ",\"set\":" + values + "}");
    }

    static long number(JsonValue change) {
        return Long.parseLong(
                change.members().getOrDefault("n", JsonValue.of(0)).toString());
    }

    /** The values of a row, which stay where the row is stored. */
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
