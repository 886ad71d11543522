package dev.millrace.scheduler.flow.core;

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
 */
public record InputSpec(
        String name, InputType type, boolean required, Optional<JsonValue> defaultValue, String description) {
    public InputSpec {
        requireNonNull(name, "name");
        requireNonNull(type, "type");
        requireNonNull(defaultValue, "defaultValue");
        requireNonNull(description, "description");
    }
}
