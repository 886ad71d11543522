package dev.millrace.scheduler.access;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs that a worker may take.
 *
 * @param workspaces jobs of these workspaces; absent means of all that are not isolated
 * @param tags jobs with these tags; absent means with any
 */
public record WorkerScope(Optional<Set<Workspace>> workspaces, Optional<Set<String>> tags) {
    public static final WorkerScope ALL = new WorkerScope(Optional.empty(), Optional.empty());
}
