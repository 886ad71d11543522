package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** The types of inputs, named as in JSON Schema. */
public enum InputType {
    STRING("string", "a string"),
    INTEGER("integer", "an integer"),
    NUMBER("number", "a number"),
    BOOLEAN("boolean", "a boolean"),
    ARRAY("array", "an array"),
    OBJECT("object", "an object"),
    ANY("any", "any value");

    private final String word;
    private final String phrase;

    InputType(String word, String phrase) {
        this.word = word;
        this.phrase = phrase;
    }

    /** Finds a type by its word in a definition. */
    public static Optional<InputType> find(String word) {
        return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
    }

    /** The word for this type in a definition. */
    public String word() {
        return word;
    }

    /** The type with its article, for error messages. */
    public String phrase() {
        return phrase;
    }

    public boolean accepts(JsonValue value) {
        return switch (this) {
            case STRING -> value.kind() == JsonValue.Kind.STRING;
            case INTEGER -> value.isWhole();
            case NUMBER -> value.kind() == JsonValue.Kind.NUMBER;
            case BOOLEAN -> value.kind() == JsonValue.Kind.BOOLEAN;
            case ARRAY -> value.kind() == JsonValue.Kind.ARRAY;
            case OBJECT -> value.kind() == JsonValue.Kind.OBJECT;
            case ANY -> true;
        };
    }
}
