package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Merges the accumulating inputs of submissions that become a single run. */
public final class Accumulation {
    private Accumulation() {}

    /**
     * Returns the name of an accumulating input that is not an array; empty if each one is an array, null or absent.
     */
    public static Optional<String> findUnfit(List<String> names, Json input) {
        Map<String, JsonValue> members = JsonValue.of(input).members();
        return names.stream()
                .filter(name -> {
                    JsonValue value = members.getOrDefault(name, JsonValue.NULL);
                    return !value.isNull() && value.kind() != JsonValue.Kind.ARRAY;
                })
                .findFirst();
    }

    /** Returns the later input, with the elements of the earlier input at the beginning of each named array. */
    public static Json merge(List<String> names, Json earlier, Json later) {
        Map<String, JsonValue> before = JsonValue.of(earlier).members();
        Map<String, JsonValue> members = new LinkedHashMap<>(JsonValue.of(later).members());
        for (String name : names) {
            if (before.containsKey(name)) {
                List<JsonValue> elements = new ArrayList<>(elements(before.get(name)));
                elements.addAll(elements(members.getOrDefault(name, JsonValue.NULL)));
                members.put(name, array(elements));
            }
        }
        return new Json(members.entrySet().stream()
                .map(member -> JsonStrings.quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}")));
    }

    /** Treats a single value as one element: another version of the flow may have accepted such a value. */
    private static List<JsonValue> elements(JsonValue value) {
        return switch (value.kind()) {
            case ARRAY -> value.elements();
            case NULL -> List.of();
            case OBJECT, STRING, NUMBER, BOOLEAN -> List.of(value);
        };
    }

    private static JsonValue array(List<JsonValue> elements) {
        return JsonValue.of(elements.stream().map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")));
    }
}
