package dev.millrace.scheduler.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ValidationMessage;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says which rule a value breaks in words for people who fill in forms, where the library's are for authors of schemas. */
final class BrokenRule {
    /** Number of choices that a message lists. */
    private static final int CHOICES_MAX = 10;

    private static final Map<String, String> TYPES = Map.of(
            "string", "a string",
            "integer", "a whole number",
            "number", "a number",
            "boolean", "true or false",
            "array", "an array",
            "object", "an object",
            "null", "null");

    private BrokenRule() {}

    /** What is wrong, as the rest of a sentence whose subject is the value. */
    static String words(ValidationMessage message) {
        JsonNode rule = message.getSchemaNode();
        if (rule == null) {
            return String.valueOf(message.getError());
        }
        return switch (String.valueOf(message.getType())) {
            case "type" -> "is " + value(message) + " (expected: " + types(rule) + ")";
            case "enum" -> "is " + value(message) + " (expected: one of " + choices(rule) + ")";
            case "const" -> "must be " + rule;
            case "required" -> "lacks \"" + message.getProperty() + "\"";
            case "additionalProperties", "unevaluatedProperties" ->
                "has \"" + message.getProperty() + "\", which is not allowed";
            case "minimum" -> "must be at least " + rule.asText();
            case "maximum" -> "must be at most " + rule.asText();
            case "exclusiveMinimum" -> "must be greater than " + rule.asText();
            case "exclusiveMaximum" -> "must be less than " + rule.asText();
            case "multipleOf" -> "must be a multiple of " + rule.asText();
            case "minLength" -> "must have at least " + count(rule, "character");
            case "maxLength" -> "must have at most " + count(rule, "character");
            case "minItems" -> "must have at least " + count(rule, "entry");
            case "maxItems" -> "must have at most " + count(rule, "entry");
            case "uniqueItems" -> "must not have the same entry twice";
            case "pattern" -> "does not match the pattern " + rule.asText();
            default -> String.valueOf(message.getError());
        };
    }

    private static String value(ValidationMessage message) {
        JsonNode value = message.getInstanceNode();
        return value == null
                ? "something else"
                : switch (value.getNodeType()) {
                    case NULL, MISSING -> "null";
                    case BOOLEAN -> value.asText();
                    case STRING -> "a string";
                    case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number";
                    case ARRAY -> "an array";
                    case OBJECT -> "an object";
                    case BINARY, POJO -> "something else";
                };
    }

    private static String types(JsonNode rule) {
        Stream<JsonNode> all = rule.isArray() ? rule.valueStream() : Stream.of(rule);
        return all.map(type -> TYPES.getOrDefault(type.asText(), type.asText())).collect(Collectors.joining(" or "));
    }

    private static String choices(JsonNode rule) {
        int more = rule.size() - CHOICES_MAX;
        return rule.valueStream().limit(CHOICES_MAX).map(JsonNode::toString).collect(Collectors.joining(", "))
                + (more > 0 ? ", " + more + " more" : "");
    }

    private static String count(JsonNode rule, String what) {
        String plural = what.endsWith("y") ? what.substring(0, what.length() - 1) + "ies" : what + "s";
        return rule.asText() + " " + (rule.asText().equals("1") ? what : plural);
    }
}
