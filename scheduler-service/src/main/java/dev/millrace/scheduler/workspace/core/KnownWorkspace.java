package dev.millrace.scheduler.workspace.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A workspace as it is known.
 *
 * @param key stands in the rows of the workspace, and never changes
 * @param name by which people know it
 * @param formerNames earlier names, which requests may still use
 * @param isIsolated whether only workers whose token names the workspace get its jobs
 * @param hasOwnTags whether its jobs wait under tags of their own
 * @param createdBy empty if it is older than the record of workspaces
 */
public record KnownWorkspace(
        Workspace key,
        String name,
        List<String> formerNames,
        String description,
        boolean isIsolated,
        boolean hasOwnTags,
        WorkspaceState state,
        String createdBy,
        Instant createdAt,
        Optional<Instant> archivedAt,
        Optional<Instant> deletedAt) {
    public KnownWorkspace {
        requireNonNull(key, "key");
        requireNonNull(name, "name");
        formerNames = List.copyOf(formerNames);
        requireNonNull(description, "description");
        requireNonNull(state, "state");
        requireNonNull(createdBy, "createdBy");
        requireNonNull(createdAt, "createdAt");
        requireNonNull(archivedAt, "archivedAt");
        requireNonNull(deletedAt, "deletedAt");
    }
}
