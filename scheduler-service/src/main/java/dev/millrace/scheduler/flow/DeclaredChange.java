package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

/**
 * What a deployment has done to a trigger that the file of the flow declares, or declared.
 *
 * @param kind name of the kind, for example {@code schedule}
 */
public record DeclaredChange(String kind, String path, Change change) {
    /** What was done. */
    public enum Change {
        CREATED,
        UPDATED,
        DELETED
    }

    public DeclaredChange {
        requireNonNull(kind, "kind");
        requireNonNull(path, "path");
        requireNonNull(change, "change");
    }
}
