package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import java.util.Set;

/**
 * The workers that a caller sees: those that may serve a workspace in which the caller has a role.
 *
 * @param all whether the caller sees all workers
 * @param workspaces the caller sees workers whose tokens name one of them
 * @param shared whether the caller sees workers whose tokens name no workspaces
 */
record VisibleWorkers(boolean all, Set<Workspace> workspaces, boolean shared) {
    VisibleWorkers {
        workspaces = Set.copyOf(workspaces);
    }

    static VisibleWorkers to(Access access, WorkspaceDirectory directory) {
        if (access.rights().allowsInstance(Role.VIEWER)) {
            return new VisibleWorkers(true, Set.of(), true);
        }
        return new VisibleWorkers(false, directory.visibleTo(access), directory.showsShared(access));
    }
}
