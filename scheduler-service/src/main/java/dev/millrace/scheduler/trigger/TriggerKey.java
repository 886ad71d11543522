package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.regex.Pattern;

/**
 * Names a trigger as people do.
 *
 * @param path its first part is the folder in which callers need their role
 */
public record TriggerKey(Workspace workspace, TriggerKind kind, String path) {
    /** Length of the longest path: that of a flow, a slash, and the name of a trigger in its file. */
    private static final int PATH_LENGTH_MAX = 256 + 1 + 64;

    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

    public TriggerKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(kind, "kind");
        requireNonNull(path, "path");
    }

    /** Whether a trigger may have this path. */
    public static boolean isPath(String text) {
        return text.length() <= PATH_LENGTH_MAX && PATH.matcher(text).matches();
    }
}
