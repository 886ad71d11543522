package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;

/**
 * The version that a path is remembered to lead to. The queue accepts what relies on it only while that is so.
 *
 * @param hash of the version
 */
public record AssumedVersion(Kind kind, Workspace workspace, String path, String hash) {
    /** What a path leads to. */
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
