package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * Reference by which callers name a run: its id within a workspace. It never finds a run of another workspace. Once a
 * run has been found by its reference, its {@link RunId} alone identifies the run, because that id is unique across
 * workspaces.
 */
public record RunRef(Workspace workspace, RunId id) {
    public RunRef {
        requireNonNull(workspace, "workspace");
        requireNonNull(id, "id");
    }
}
