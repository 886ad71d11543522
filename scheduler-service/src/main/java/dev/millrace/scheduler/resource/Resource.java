package dev.millrace.scheduler.resource;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.version.ReferenceUsers;
import java.time.Instant;
import java.util.Optional;

/**
 * A resource.
 *
 * @param type name of its type; empty for none
 * @param value absent in lists
 * @param users what refers to it, some of each kind if there are many
 */
record Resource(
        String path,
        String type,
        Optional<Json> value,
        String description,
        String updatedBy,
        Instant updatedAt,
        ReferenceUsers users) {
    Resource {
        requireNonNull(path, "path");
        requireNonNull(type, "type");
        requireNonNull(value, "value");
        requireNonNull(description, "description");
        requireNonNull(updatedBy, "updatedBy");
        requireNonNull(updatedAt, "updatedAt");
        requireNonNull(users, "users");
    }
}
