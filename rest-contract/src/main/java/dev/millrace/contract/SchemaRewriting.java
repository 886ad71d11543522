package dev.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * Rewrites schemas of an OpenAPI document as JSON Schemas that stand alone.
 *
 * <p>Closed schemas also reject fields that they do not describe. If a value may be an object with described fields,
 * {@code unevaluatedProperties} is false. That keyword is set on the schema of the whole value and never on a part of
 * an {@code allOf}. Such a part describes only some of the fields.
 */
final class SchemaRewriting {
    private static final String COMPONENTS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";
    private static final List<String> COMBINATIONS = List.of("allOf", "anyOf", "oneOf");

    private final Document document;
    private final boolean closed;
    private final ObjectNode definitions = JsonNodeFactory.instance.objectNode();

    SchemaRewriting(Document document, boolean closed) {
        this.document = document;
        this.closed = closed;
        document.schemas()
                .properties()
                .forEach(schema -> definitions.set(schema.getKey(), rewrite(schema.getValue(), false)));
    }

    /** A schema with all schemas to which it may refer. */
    JsonNode complete(JsonNode schema) {
        JsonNode root = rewrite(schema, true);
        return root instanceof ObjectNode object ? object.set("$defs", definitions) : root;
    }

    /**
     * Rewrites one schema.
     *
     * @param whole whether the schema describes the whole value, rather than being one of several parts
     */
    private JsonNode rewrite(JsonNode schema, boolean whole) {
        if (!schema.isObject()) {
            return schema;
        }
        ObjectNode rewritten = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> entry : schema.properties()) {
            String keyword = entry.getKey();
            JsonNode value = entry.getValue();
            switch (keyword) {
                case "$ref" -> rewritten.put("$ref", value.asText().replace(COMPONENTS, DEFINITIONS));
                case "properties" -> {
                    ObjectNode properties = rewritten.putObject("properties");
                    value.properties()
                            .forEach(field -> properties.set(field.getKey(), rewrite(field.getValue(), true)));
                }
                case "items", "additionalProperties" -> rewritten.set(keyword, rewrite(value, true));
                case "allOf", "anyOf", "oneOf" -> {
                    var parts = rewritten.putArray(keyword);
                    value.forEach(part -> parts.add(rewrite(part, false)));
                }
                // This keyword belongs to OpenAPI and not to JSON Schema.
                case "example" -> {}
                default -> rewritten.set(keyword, value);
            }
        }
        if (closed && whole && describesFields(schema) && !schema.has("additionalProperties")) {
            rewritten.put("unevaluatedProperties", false);
        }
        return rewritten;
    }

    private boolean describesFields(JsonNode schema) {
        JsonNode target = document.resolve(schema);
        if (target.has("properties")) {
            return true;
        }
        for (String combination : COMBINATIONS) {
            for (JsonNode part : target.path(combination)) {
                if (describesFields(part)) {
                    return true;
                }
            }
        }
        return false;
    }
}
