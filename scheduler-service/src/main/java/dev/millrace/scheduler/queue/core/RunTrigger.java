package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * The trigger that started a run, as it was called then.
 *
 * @param kind what it listens to, for example {@code schedule}; one word
 * @param path path within the workspace
 */
public record RunTrigger(String kind, String path) {
    public RunTrigger {
        requireNonNull(kind, "kind");
        requireNonNull(path, "path");
    }

    /** Reads what {@link #text} has written. */
    public static RunTrigger of(String text) {
        int blank = text.indexOf(' ');
        return new RunTrigger(text.substring(0, blank), text.substring(blank + 1));
    }

    /** Both in one text, as it is stored. */
    public String text() {
        return kind + " " + path;
    }
}
