package dev.millrace.scheduler.trigger.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The inputs of runs that triggers start. */
public final class EventInput {
    private EventInput() {}

    /** The fixed input of a trigger with what has happened as a further member. A fixed member wins. */
    public static JsonValue of(JsonValue fixed, String member, JsonValue content) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(member, content);
        members.putAll(fixed.members());
        return JsonValue.ofMembers(members);
    }

    /** An array of these values. */
    public static JsonValue array(List<JsonValue> values) {
        StringBuilder text = new StringBuilder("[");
        values.forEach(value -> text.append(text.length() == 1 ? "" : ",").append(value));
        return JsonValue.of(text.append(']').toString());
    }
}
