package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identifies one start of a scheduler among all schedulers that share a database. */
public record SchedulerId(UUID value) {
    public SchedulerId {
        requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
