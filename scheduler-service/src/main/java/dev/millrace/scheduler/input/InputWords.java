package dev.millrace.scheduler.input;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.SchemaProblem;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says what a parameter was expected to be, in the words in which the runtimes of Python and TypeScript say it. Not
 * thread-safe.
 */
final class InputWords {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Longest value that a message shows. */
    private static final int SHOWN_CHARS_MAX = 100;

    private static final int CHOICES_MAX = 10;
    /** How deep a description follows alternatives and references. */
    private static final int DEPTH_MAX = 4;

    private static final Map<String, String> FORMATS = Map.ofEntries(
            Map.entry("date", "a date such as 2026-01-31"),
            Map.entry("time", "a time such as 09:30:00"),
            Map.entry("date-time", "a date and time such as 2026-01-31T09:30:00Z"),
            Map.entry("duration", "a duration such as PT1H30M, or a number of seconds"),
            Map.entry("uuid", "a UUID"),
            Map.entry("decimal", "a decimal number"),
            Map.entry("integer", "a whole number"),
            Map.entry("number", "a number"),
            Map.entry("boolean", "true or false"));
    private static final Map<String, String> TYPES = Map.of(
            "string", "a string",
            "integer", "a whole number",
            "number", "a number",
            "boolean", "true or false",
            "array", "an array",
            "object", "an object",
            "null", "null");

    private final JsonNode schema;
    private final JsonNode input;
    private final boolean hasMain;

    private InputWords(JsonNode schema, JsonNode input, boolean hasMain) {
        this.schema = schema;
        this.input = input;
        this.hasMain = hasMain;
    }

    static InputWords of(InputSchema schema, Json input) {
        boolean hasMain = schema.origin() != InputSchema.Origin.DECLARATION;
        try {
            return new InputWords(JSON.readTree(schema.schema().text()), JSON.readTree(input.text()), hasMain);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("the schema or the input is not JSON", notJson);
        }
    }

    InputProblem problem(SchemaProblem problem) {
        String rule = problem.rule().substring(problem.rule().lastIndexOf('/') + 1);
        String where = problem.path().isEmpty() ? "The input" : "The parameter \"" + problem.path() + "\"";
        String key = problem.property();
        return switch (rule) {
            case "required" ->
                new InputProblem(
                        inside(problem, key), where + " lacks the key \"" + key + "\"" + takes(problem) + ". Add it.");
            case "additionalProperties", "unevaluatedProperties" ->
                new InputProblem(
                        inside(problem, key),
                        where + " has the key \"" + key + "\", which " + taker(problem) + " does not take"
                                + takes(problem) + ". Remove it, or correct its name.");
            case "propertyNames" ->
                new InputProblem(
                        problem.path(),
                        where + " has a key that it cannot have: " + problem.message() + ". Change it.");
            case "type", "enum", "const", "pattern", "anyOf", "oneOf" ->
                new InputProblem(
                        problem.path(),
                        where + " is " + shown(problem.pointer()) + " (expected: " + expected(owner(problem.rule()), 0)
                                + "). Change it.");
            default -> new InputProblem(problem.path(), where + " " + problem.message() + ". Change it.");
        };
    }

    private static String inside(SchemaProblem problem, String key) {
        return problem.path().isEmpty() ? key : problem.path() + "." + key;
    }

    private String taker(SchemaProblem problem) {
        return !problem.path().isEmpty() ? "it" : hasMain ? "main" : "the script";
    }

    /** The names among which the missing or unknown key is, if the schema lists them. */
    private String takes(SchemaProblem problem) {
        JsonNode owner = owner(problem.rule());
        Set<String> names = new LinkedHashSet<>();
        owner.path("properties").fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            return "";
        }
        String listed = names.stream().limit(CHOICES_MAX).collect(Collectors.joining(", "));
        return ": " + taker(problem) + " takes " + listed + (names.size() > CHOICES_MAX ? ", and more" : "");
    }

    /** The part of the schema that has a rule; for a rule of an alternative, the part with all alternatives. */
    private JsonNode owner(String rule) {
        String pointer = rule.startsWith("#") ? rule.substring(1) : rule;
        int alternatives = Math.max(pointer.lastIndexOf("/anyOf/"), pointer.lastIndexOf("/oneOf/"));
        String owner = pointer.substring(0, Math.max(0, pointer.lastIndexOf('/')));
        if (alternatives >= 0
                && !owner.substring(alternatives + "/anyOf/".length()).contains("/")) {
            owner = pointer.substring(0, alternatives);
        }
        try {
            return schema.at(JsonPointer.compile(owner));
        } catch (IllegalArgumentException noPointer) {
            return JSON.missingNode();
        }
    }

    private String shown(String pointer) {
        JsonNode value = input.at(JsonPointer.compile(pointer));
        String text = value.toString();
        if (text.length() <= SHOWN_CHARS_MAX) {
            return text;
        }
        return value.isTextual()
                ? "a string of " + value.textValue().length() + " characters"
                : value.isArray() ? "an array" : value.isObject() ? "an object" : "a number with many digits";
    }

    private String expected(JsonNode part, int depth) {
        if (depth > DEPTH_MAX) {
            return "a value that fits the schema";
        }
        if (part.has("enum") || part.has("const")) {
            return choices(part);
        }
        for (String word : new String[] {"anyOf", "oneOf"}) {
            if (part.path(word).isArray()) {
                return part.get(word)
                        .valueStream()
                        .map(each -> expected(each, depth + 1))
                        .distinct()
                        .limit(CHOICES_MAX)
                        .collect(Collectors.joining(" or "));
            }
        }
        String reference = part.path("$ref").asText();
        if (reference.startsWith("#/")) {
            return expected(schema.at(JsonPointer.compile(reference.substring(1))), depth + 1);
        }
        return ofType(part);
    }

    private static String choices(JsonNode part) {
        if (part.has("const")) {
            return part.get("const").toString();
        }
        int more = part.get("enum").size() - CHOICES_MAX;
        return (part.get("enum").size() > 1 ? "one of " : "")
                + part.get("enum")
                        .valueStream()
                        .limit(CHOICES_MAX)
                        .map(JsonNode::toString)
                        .collect(Collectors.joining(", "))
                + (more > 0 ? ", " + more + " more" : "");
    }

    private static String ofType(JsonNode part) {
        JsonNode type = part.path("type");
        String nullable = type.isArray()
                        && type.valueStream().anyMatch(one -> one.asText().equals("null"))
                ? " or null"
                : "";
        String format = FORMATS.get(part.path("format").asText());
        if (format != null) {
            return format + nullable;
        }
        if (part.path("contentEncoding").asText().equals("base64")) {
            return "bytes in base64" + nullable;
        }
        if (part.path("title").isTextual() && part.path("properties").isObject()) {
            return "an object with the fields of " + part.get("title").asText() + nullable;
        }
        if (type.isArray()) {
            return type.valueStream()
                    .map(one -> TYPES.getOrDefault(one.asText(), one.asText()))
                    .collect(Collectors.joining(" or "));
        }
        return TYPES.getOrDefault(type.asText(), "a value that fits the schema");
    }
}
