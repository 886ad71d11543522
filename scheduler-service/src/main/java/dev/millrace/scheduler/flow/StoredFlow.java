package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;

/**
 * A stored flow as shown to users.
 *
 * @param path by which the flow was found; empty if it was found by its hash and no path of the workspace refers to it
 * @param definition empty in lists
 */
public record StoredFlow(
        String hash, String path, Workspace workspace, String dialect, String definition, Instant createdAt) {
    public StoredFlow {
        requireNonNull(hash, "hash");
        requireNonNull(path, "path");
        requireNonNull(workspace, "workspace");
        requireNonNull(dialect, "dialect");
        requireNonNull(definition, "definition");
        requireNonNull(createdAt, "createdAt");
    }
}
