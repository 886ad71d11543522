package dev.millrace.scheduler.webhook.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names and values as in queries and forms ({@code application/x-www-form-urlencoded}). */
final class FormText {
    /** Maximum number of values of a form or query. */
    static final int VALUES_MAX = 1_000;

    private FormText() {}

    /** The values as an object: a text for each name, and an array of texts for a name that occurs several times. */
    static JsonValue object(String text) throws UnreadableBody {
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        int count = 0;
        for (String pair : text.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            count++;
            if (count > VALUES_MAX) {
                throw new UnreadableBody("The form has more than " + VALUES_MAX + " values.");
            }
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(JsonValue.ofString(value));
        }
        return object(values);
    }

    static JsonValue object(Map<String, List<JsonValue>> values) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        values.forEach((name, all) -> members.put(name, all.size() == 1 ? all.getFirst() : array(all)));
        return JsonValue.ofMembers(members);
    }

    private static JsonValue array(List<JsonValue> items) {
        StringBuilder text = new StringBuilder("[");
        items.forEach(item -> text.append(text.length() == 1 ? "" : ",").append(item));
        return JsonValue.of(text.append(']').toString());
    }

    /** Forms write a space as a plus sign. */
    private static String decoded(String text) throws UnreadableBody {
        return PercentText.decoded(text.replace('+', ' '));
    }
}
