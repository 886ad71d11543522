package dev.millrace.scheduler.version;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import java.time.Instant;

/** The deployments of paths, newest first. Blocking and thread-safe. */
final class Deployments {
    private final DeploymentStore store;

    Deployments(Database database) {
        this.store = new DeploymentStore(database);
    }

    /**
     * A deployment that has changed what a path leads to.
     *
     * @param isCurrent whether the path leads to this version now
     */
    record Deployment(long number, String hash, DeploymentNote note, Instant time, boolean isCurrent) {}

    PageRequest.Page<Deployment> list(Workspace workspace, VersionKind kind, String path, PageRequest page) {
        long before = page.afterNumber(Long.MAX_VALUE);
        return page.of(
                limit -> store.list(workspace, kind, path, before, limit),
                deployment -> Long.toString(deployment.number()));
    }
}
