package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Removes fields that are null: in requests, null means absent. */
final class Nulls {
    private Nulls() {}

    static JsonNode removed(JsonNode value) {
        if (value.isObject()) {
            ObjectNode kept = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(field -> {
                if (!field.getValue().isNull()) {
                    kept.set(field.getKey(), removed(field.getValue()));
                }
            });
            return kept;
        }
        if (value.isArray()) {
            var kept = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> kept.add(removed(item)));
            return kept;
        }
        return value;
    }
}
