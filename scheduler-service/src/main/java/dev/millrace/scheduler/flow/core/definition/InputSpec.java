package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Optional;

/**
 * One input of a flow.
 *
 * @param name key in the input of a run
 * @param type what it may be
 * @param required whether a run must give it
 * @param defaultValue taken where a run does not give it
 * @param description for people; may be empty
 * @param emptyMeansDefault whether the empty text, or null, stands for the default
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
            throw new IllegalArgumentException("input " + name + " has no default that an empty one could stand for");
        }
    }

    /** One whose empty text is a value like any other. */
    public InputSpec(
            String name, InputType type, boolean required, Optional<JsonValue> defaultValue, String description) {
        this(name, type, required, defaultValue, description, false);
    }

    /** Whether this value stands for the default. */
    public boolean isDefault(JsonValue value) {
        return emptyMeansDefault
                && (value.isNull()
                        || (value.kind() == JsonValue.Kind.STRING
                                && value.string().isEmpty()));
    }
}
