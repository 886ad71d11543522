package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;

/**
 * Names a trigger as people do.
 *
 * @param path its first part is the folder in which callers need their role
 */
public record TriggerKey(Workspace workspace, TriggerKind kind, String path) {
    public TriggerKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(kind, "kind");
        requireNonNull(path, "path");
    }
}
