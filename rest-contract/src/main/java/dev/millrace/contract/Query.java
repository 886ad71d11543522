package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Query of an address: the values of each parameter, in their order. */
record Query(Map<String, List<String>> values) {
    static Query of(URI uri) {
        var values = new LinkedHashMap<String, List<String>>();
        String query = uri.getRawQuery();
        if (query != null && !query.isEmpty()) {
            for (String pair : query.split("&", -1)) {
                String[] parts = pair.split("=", 2);
                values.computeIfAbsent(decoded(parts[0]), _ -> new ArrayList<>())
                        .add(parts.length == 1 ? "" : decoded(parts[1]));
            }
        }
        return new Query(values);
    }

    void check(Operation operation, Schemas schemas, List<String> problems) {
        values.forEach((name, given) -> {
            JsonNode schema = operation.query().get(name);
            if (schema == null) {
                problems.add("the parameter " + name + " is not described");
                return;
            }
            if (given.stream().allMatch(String::isEmpty)) {
                // An empty value means that the parameter is absent.
                return;
            }
            schemas.checkSent(schema, value(schema, given))
                    .forEach(text -> problems.add("the parameter " + name + " " + text));
        });
    }

    /** Converts a text to a value of the type in the schema. */
    static JsonNode value(JsonNode schema, String text) {
        var nodes = JsonNodeFactory.instance;
        return switch (schema.path("type").asText()) {
            case "integer" ->
                text.matches("-?[0-9]{1,18}") ? nodes.numberNode(Long.parseLong(text)) : nodes.textNode(text);
            case "boolean" ->
                text.matches("true|false") ? nodes.booleanNode(Boolean.parseBoolean(text)) : nodes.textNode(text);
            default -> nodes.textNode(text);
        };
    }

    private static JsonNode value(JsonNode schema, List<String> texts) {
        if (!schema.path("type").asText().equals("array")) {
            return value(schema, texts.getFirst());
        }
        var array = JsonNodeFactory.instance.arrayNode();
        texts.forEach(text -> array.add(value(schema.path("items"), text)));
        return array;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
