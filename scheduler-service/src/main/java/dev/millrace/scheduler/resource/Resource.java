package dev.millrace.scheduler.resource;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A resource.
 *
 * @param type name of its type; empty for none
 * @param value absent in lists
 * @param usedBy paths of deployed flows that refer to it, some of them if there are many
 */
record Resource(
        String path,
        String type,
        Optional<Json> value,
        String description,
        String updatedBy,
        Instant updatedAt,
        List<String> usedBy) {
    Resource {
        requireNonNull(path, "path");
        requireNonNull(type, "type");
        requireNonNull(value, "value");
        requireNonNull(description, "description");
        requireNonNull(updatedBy, "updatedBy");
        requireNonNull(updatedAt, "updatedAt");
        usedBy = List.copyOf(usedBy);
    }
}
