package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Construction and member access of JSON objects and arrays. */
final class JsonObjects {
    private JsonObjects() {}

    static JsonValue of(Map<String, JsonValue> members) {
        return JsonValue.ofMembers(members);
    }

    static JsonValue array(List<JsonValue> elements) {
        return JsonValue.of(elements.stream().map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")));
    }

    /** Returns a member of an object; null if the object has no such member or the value is no object. */
    static JsonValue member(JsonValue value, String name) {
        return value.kind() == JsonValue.Kind.OBJECT
                ? value.members().getOrDefault(name, JsonValue.NULL)
                : JsonValue.NULL;
    }
}
