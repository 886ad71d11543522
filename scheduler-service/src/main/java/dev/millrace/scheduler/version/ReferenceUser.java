package dev.millrace.scheduler.version;

import static java.util.Objects.requireNonNull;

/**
 * Something other than a flow that refers to a secret or resource.
 *
 * @param kind {@code resource}, {@code alert}, or the kind of a trigger
 * @param path path, or name of an alert
 */
public record ReferenceUser(String kind, String path) {
    public ReferenceUser {
        requireNonNull(kind, "kind");
        requireNonNull(path, "path");
    }

    /** What something of the kind is called in a sentence. */
    String phrase() {
        return switch (kind) {
            case "flow", "resource", "alert", "webhook", "schedule" -> kind;
            default -> kind + " trigger";
        };
    }
}
