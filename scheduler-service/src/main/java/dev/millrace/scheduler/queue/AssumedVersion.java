package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;

/**
 * The version that a path led to when a caller last looked. The queue accepts a submission that relies on it only if
 * the path still leads there.
 *
 * @param hash of the version
 */
public record AssumedVersion(Kind kind, Workspace workspace, String path, String hash) {
    /** The kind of thing that a path leads to. */
    public enum Kind {
        SCRIPT,
        FLOW
    }

    public AssumedVersion {
        requireNonNull(kind, "kind");
        requireNonNull(workspace, "workspace");
        requireNonNull(path, "path");
        requireNonNull(hash, "hash");
    }
}
