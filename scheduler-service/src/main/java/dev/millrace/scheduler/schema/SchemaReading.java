package dev.millrace.scheduler.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/** Rejects schemas that the library would reject too late, or with an unclear message. */
final class SchemaReading {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    /** Keywords whose values are plain values, not schemas. */
    private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");

    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef");

    private SchemaReading() {}

    /** Fails at the first part of the schema that is not supported. */
    static void check(JsonNode schema) throws SchemaInvalid {
        if (!schema.isObject() && !schema.isBoolean()) {
            throw new SchemaInvalid("", "A schema is an object, or true or false.", "Write an object.");
        }
        Optional<String> large = NumberSize.findTooLarge(schema);
        if (large.isPresent()) {
            throw new SchemaInvalid(
                    "",
                    "It holds the number " + large.get()
                            + ", which cannot be calculated with (expected: an exponent from -"
                            + NumberSize.EXPONENT_MAX + " to " + NumberSize.EXPONENT_MAX + ").",
                    "Write a number of usual size.");
        }
        check(schema, "");
    }

    private static void check(JsonNode node, String pointer) throws SchemaInvalid {
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), pointer + "/" + i);
            }
        }
        for (var member : node.properties()) {
            String below = pointer + "/" + member.getKey().replace("~", "~0").replace("/", "~1");
            checkWord(member.getKey(), member.getValue(), below);
            if (member.getKey().equals("patternProperties")) {
                for (var pattern : member.getValue().properties()) {
                    requirePattern(pattern.getKey(), below);
                }
            }
            if (!VALUES.contains(member.getKey()) || member.getValue().isObject()) {
                check(member.getValue(), below);
            }
        }
    }

    private static void checkWord(String word, JsonNode value, String pointer) throws SchemaInvalid {
        if (!value.isTextual()) {
            return;
        }
        String text = value.textValue();
        if (REFERENCES.contains(word) && !text.startsWith("#")) {
            throw new SchemaInvalid(
                    pointer,
                    "It refers to \"" + text + "\", and a schema refers to nothing outside of itself.",
                    "Write what is meant under $defs, and refer to it as \"#/$defs/NAME\".");
        }
        if (word.equals("$schema") && !text.replaceFirst("#$", "").equals(DIALECT)) {
            throw new SchemaInvalid(
                    pointer,
                    "It is written for \"" + text + "\" (expected: \"" + DIALECT + "\").",
                    "Change it to that version, or leave $schema out.");
        }
        if (word.equals("pattern")) {
            requirePattern(text, pointer);
        }
    }

    private static void requirePattern(String regex, String pointer) throws SchemaInvalid {
        try {
            BoundedPattern.of(regex);
        } catch (PatternSyntaxException wrong) {
            throw new SchemaInvalid(
                    pointer,
                    "\"" + regex + "\" is no regular expression: " + wrong.getDescription() + " at character "
                            + (wrong.getIndex() + 1) + ".",
                    "Correct it.");
        }
    }
}
