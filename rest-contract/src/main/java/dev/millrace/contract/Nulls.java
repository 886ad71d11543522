package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Removes fields that are null, because null means absent in requests. */
final class Nulls {
    /** Maximum depth of fields to remove. Deeper values lie inside payloads, which no schema describes. */
    private static final int DEPTH_MAX = 50;

    private Nulls() {}

    static JsonNode removed(JsonNode value) {
        return removed(value, DEPTH_MAX);
    }

    private static JsonNode removed(JsonNode value, int depth) {
        if (depth > 0 && value.isObject()) {
            ObjectNode kept = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(field -> {
                if (!field.getValue().isNull()) {
                    kept.set(field.getKey(), removed(field.getValue(), depth - 1));
                }
            });
            return kept;
        }
        if (depth > 0 && value.isArray()) {
            var kept = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> kept.add(removed(item, depth - 1)));
            return kept;
        }
        return value;
    }
}
