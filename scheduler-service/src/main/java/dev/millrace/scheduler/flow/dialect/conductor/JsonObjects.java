package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.Map;

/** Writes JSON objects. */
final class JsonObjects {
    private JsonObjects() {}

    static JsonValue of(Map<String, JsonValue> members) {
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) -> {
            if (text.length() > 1) {
                text.append(',');
            }
            JsonStrings.appendQuoted(text, name);
            text.append(':').append(value);
        });
        return JsonValue.of(text.append('}').toString());
    }

    /** The member of an object; null where there is none, or no object. */
    static JsonValue member(JsonValue value, String name) {
        return value.kind() == JsonValue.Kind.OBJECT
                ? value.members().getOrDefault(name, JsonValue.NULL)
                : JsonValue.NULL;
    }
}
