package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A flow as people see it.
 *
 * @param path by which it was found; empty where it was found by hash and no path of the workspace leads to it
 * @param definition empty in lists
 */
public record StoredFlow(
        String hash, String path, String workspace, String dialect, String definition, Instant createdAt) {
    public StoredFlow {
        requireNonNull(hash, "hash");
        requireNonNull(path, "path");
        requireNonNull(workspace, "workspace");
        requireNonNull(dialect, "dialect");
        requireNonNull(definition, "definition");
        requireNonNull(createdAt, "createdAt");
    }
}
