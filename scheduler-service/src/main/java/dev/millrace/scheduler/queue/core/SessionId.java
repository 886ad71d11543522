package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identifies one session of a worker. */
public record SessionId(UUID value) {
    public SessionId {
        requireNonNull(value, "value");
    }

    /** Reads the canonical text form. Fails with {@link IllegalArgumentException} on anything else. */
    public static SessionId parse(String text) {
        return new SessionId(Uuids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
