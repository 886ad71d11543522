package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identifies a session of a worker. */
public record SessionId(UUID value) {
    public SessionId {
        requireNonNull(value, "value");
    }

    /**
     * Parses the canonical text form.
     *
     * @throws IllegalArgumentException if the text has any other form
     */
    public static SessionId parse(String text) {
        return new SessionId(Uuids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
