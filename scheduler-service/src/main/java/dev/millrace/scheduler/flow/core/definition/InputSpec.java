package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Optional;

/**
 * An input that a flow declares.
 *
 * @param name key in the input of a run
 * @param type type of the value
 * @param required whether a run must pass a value
 * @param defaultValue value for runs that pass none
 * @param description for people; may be empty
 * @param emptyMeansDefault whether the empty string and null stand for the default
 */
public record InputSpec(
        String name,
        InputType type,
        boolean required,
        Optional<JsonValue> defaultValue,
        String description,
        boolean emptyMeansDefault) {
    public InputSpec {
        requireNonNull(name, "name");
        requireNonNull(type, "type");
        requireNonNull(defaultValue, "defaultValue");
        requireNonNull(description, "description");
        if (emptyMeansDefault && defaultValue.isEmpty()) {
            throw new IllegalArgumentException(
                    "input " + name + " has no default, so an empty value cannot stand for it");
        }
    }

    /** Creates an input for which the empty string is a value like any other. */
    public InputSpec(
            String name, InputType type, boolean required, Optional<JsonValue> defaultValue, String description) {
        this(name, type, required, defaultValue, description, false);
    }

    /** Returns whether a value stands for the default. */
    public boolean isDefault(JsonValue value) {
        return emptyMeansDefault
                && (value.isNull()
                        || (value.kind() == JsonValue.Kind.STRING
                                && value.string().isEmpty()));
    }
}
