package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * Names a run as callers do: by its id within a workspace. A run of another workspace is not found by it. What has been found by its reference is
 * then known by its {@link RunId} alone, which is unique everywhere.
 */
public record RunRef(Workspace workspace, RunId id) {
    public RunRef {
        requireNonNull(workspace, "workspace");
        requireNonNull(id, "id");
    }
}
