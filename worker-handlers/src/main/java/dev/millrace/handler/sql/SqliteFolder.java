package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder in which jobs may use databases of SQLite.
 *
 * @param workspace the workspace whose jobs may; empty for those of all workspaces
 * @param path absolute path of the folder
 */
public record SqliteFolder(Optional<String> workspace, Path path) {
    public SqliteFolder {
        requireNonNull(workspace, "workspace");
        requireNonNull(path, "path");
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("folder of SQLite: " + path + " (expected: an absolute path)");
        }
    }

    /** Parses {@code /srv/all} or, for one workspace, {@code shop=/srv/shop}. */
    public static SqliteFolder parse(String text) {
        int equals = text.indexOf('=');
        return text.startsWith("/") || equals < 0
                ? new SqliteFolder(Optional.empty(), Path.of(text))
                : new SqliteFolder(Optional.of(text.substring(0, equals)), Path.of(text.substring(equals + 1)));
    }

    boolean isFor(String asking) {
        return workspace.isEmpty() || workspace.get().equals(asking);
    }
}
