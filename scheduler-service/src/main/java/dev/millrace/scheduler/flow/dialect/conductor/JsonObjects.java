package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON objects and arrays. */
final class JsonObjects {
    private JsonObjects() {}

    static JsonValue of(Map<String, JsonValue> members) {
        return JsonValue.ofMembers(members);
    }

    static JsonValue array(List<JsonValue> elements) {
        return JsonValue.of(elements.stream().map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")));
    }

    /** The member of an object; null where there is none, or no object. */
    static JsonValue member(JsonValue value, String name) {
        return value.kind() == JsonValue.Kind.OBJECT
                ? value.members().getOrDefault(name, JsonValue.NULL)
                : JsonValue.NULL;
    }
}
