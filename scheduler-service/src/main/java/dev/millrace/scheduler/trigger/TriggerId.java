package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identifies a trigger, also after its path has been given to another one. */
public record TriggerId(UUID value) {
    public TriggerId {
        requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
