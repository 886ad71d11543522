package dev.millrace.cli.run;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The parameters of a script, from the JSON Schema of its input.
 *
 * @param all in the order of the schema
 * @param takesOthers whether the script takes names that the schema does not list
 * @param isKnown whether the schema says anything about parameters
 * @param description what the script does, if its author says so
 */
record ScriptParameters(List<Parameter> all, boolean takesOthers, boolean isKnown, Optional<String> description) {
    private static final int CHOICES_SHOWN_MAX = 6;
    private static final int DEPTH_MAX = 4;

    ScriptParameters {
        all = List.copyOf(all);
    }

    /**
     * One parameter.
     *
     * @param schema of its value, without a reference
     */
    record Parameter(
            String name, JsonNode schema, String type, boolean isRequired, String defaultText, String description) {
        /** The option that gives it. */
        String flag() {
            return "--" + name;
        }

        /** Whether any value becomes a text, which is best given as one. */
        boolean isText() {
            return schema.path("contentMediaType").asText().equals("text/plain");
        }

        /** Types that a value may have, by their names in the schema; empty if it may have any. */
        List<String> types() {
            JsonNode type = schema.path("type");
            return type.isTextual()
                    ? List.of(type.asText())
                    : type.valueStream().map(JsonNode::asText).toList();
        }
    }

    static ScriptParameters of(JsonNode schema) {
        JsonNode object =
                schema.has("else") && !schema.has("properties") ? resolve(schema, schema.get("else")) : schema;
        List<Parameter> found = new ArrayList<>();
        object.path("properties").properties().forEach(property -> {
            JsonNode given = property.getValue();
            JsonNode resolved = resolve(schema, given);
            String description = given.path("description")
                    .asText(resolved.path("description").asText());
            found.add(new Parameter(
                    property.getKey(),
                    resolved,
                    type(schema, given, 0),
                    object.path("required")
                            .valueStream()
                            .anyMatch(name -> name.asText().equals(property.getKey())),
                    given.has("default") ? Json.compact(given.get("default")) : "",
                    description.replaceAll("\\s+", " ")));
        });
        JsonNode others = object.path("additionalProperties");
        return new ScriptParameters(
                found,
                !others.isBoolean() || others.asBoolean(),
                object.has("properties") || object.has("additionalProperties"),
                Optional.of(schema.path("description").asText()).filter(text -> !text.isEmpty()));
    }

    Optional<Parameter> find(String name) {
        return all.stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst()
                .or(() -> all.stream()
                        .filter(parameter -> parameter.name().equals(name.replace('-', '_')))
                        .findFirst());
    }

    private static JsonNode resolve(JsonNode root, JsonNode part) {
        JsonNode found = part;
        for (int depth = 0; depth < DEPTH_MAX && found.path("$ref").asText().startsWith("#/"); depth++) {
            found = root.at(JsonPointer.compile(found.path("$ref").asText().substring(1)));
        }
        return found;
    }

    /** The type in words, such as {@code date or null}. */
    private static String type(JsonNode root, JsonNode given, int depth) {
        JsonNode part = resolve(root, given);
        if (depth > DEPTH_MAX) {
            return "…";
        }
        if (part.path("enum").isArray()) {
            int more = part.get("enum").size() - CHOICES_SHOWN_MAX;
            return part.get("enum")
                            .valueStream()
                            .limit(CHOICES_SHOWN_MAX)
                            .map(value -> value.isTextual() ? value.asText() : Json.compact(value))
                            .collect(Collectors.joining(" | "))
                    + (more > 0 ? " | …" : "");
        }
        if (part.path("anyOf").isArray()) {
            return part.get("anyOf")
                    .valueStream()
                    .map(one -> type(root, one, depth + 1))
                    .distinct()
                    .collect(Collectors.joining(" | "));
        }
        return plainType(root, part, depth);
    }

    private static String plainType(JsonNode root, JsonNode part, int depth) {
        List<String> types = part.path("type").isArray()
                ? part.get("type").valueStream().map(JsonNode::asText).toList()
                : List.of(part.path("type").asText("any"));
        String nullable = types.size() > 1 && types.contains("null") ? " | null" : "";
        if (part.path("contentEncoding").asText().equals("base64")) {
            return "base64" + nullable;
        }
        if (part.has("format")) {
            return part.get("format").asText() + nullable;
        }
        if (part.path("contentMediaType").asText().equals("text/plain")) {
            return "text" + nullable;
        }
        if (types.contains("array") && part.path("items").isObject()) {
            return "array of " + type(root, part.get("items"), depth + 1) + nullable;
        }
        if (types.contains("object") && part.path("title").isTextual()) {
            return part.get("title").asText() + nullable;
        }
        return String.join(" | ", types);
    }
}
