package dev.millrace.scheduler.resource;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/**
 * What the resources of a kind look like.
 *
 * @param schema JSON Schema of their values
 */
record ResourceType(String name, Json schema, String description) {
    ResourceType {
        requireNonNull(name, "name");
        requireNonNull(schema, "schema");
        requireNonNull(description, "description");
    }
}
