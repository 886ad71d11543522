package dev.millrace.handler.sql;

import dev.millrace.worker.JobException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Finds the files that jobs may use: those in the allowed folders, by their paths without links. */
final class SqliteFolders {
    private final List<SqliteFolder> folders;

    SqliteFolders(List<SqliteFolder> folders) {
        this.folders = List.copyOf(folders);
    }

    /**
     * Checks that jobs of the workspace may use SQLite at all.
     *
     * @throws JobException if no folder is theirs
     */
    void requireSome(String workspace) {
        if (folders.stream().noneMatch(folder -> folder.isFor(workspace))) {
            throw SqlErrors.input(
                    "This worker runs no scripts for SQLite in the workspace " + workspace
                            + ": let its administrator name folders for databases in the setting millrace.worker.sqlite-folders.");
        }
    }

    /**
     * Returns the path of a file without links.
     *
     * @throws JobException if jobs of the workspace may not use it, or if it is missing and must be there
     */
    Path find(SqliteFile file, String workspace) {
        Path real = real(file);
        boolean isAllowed = folders.stream()
                .filter(folder -> folder.isFor(workspace))
                .anyMatch(folder -> isBelow(folder.path(), real));
        if (!isAllowed) {
            throw SqlErrors.input("This worker opens no file of SQLite at " + file.path()
                    + " for the workspace " + workspace + ": use a file in a folder that the setting"
                    + " millrace.worker.sqlite-folders names, or let the administrator of the worker add its folder.");
        }
        return real;
    }

    private static Path real(SqliteFile file) {
        try {
            Path path = Path.of(file.path());
            Path parent = path.getParent();
            Path name = path.getFileName();
            // A question mark begins properties for the driver, which can load programs.
            if (!path.isAbsolute()
                    || parent == null
                    || name == null
                    || file.path().contains("?")) {
                throw SqlErrors.input("The file \"" + file.path()
                        + "\" of the database must be an absolute path without question marks.");
            }
            Path real = parent.toRealPath().resolve(name);
            boolean isThere = Files.exists(real, LinkOption.NOFOLLOW_LINKS);
            if (isThere ? !Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS) : file.mode() != SqliteFile.Mode.RWC) {
                throw missing(file, isThere ? "it is no file, or a link" : "it is not there");
            }
            return real;
        } catch (FileSystemLoopException | InvalidPathException e) {
            throw missing(file, "its path cannot be read");
        } catch (IOException e) {
            throw missing(file, "its folder is not there");
        }
    }

    private static JobException missing(SqliteFile file, String why) {
        return SqlErrors.input("The file " + file.path() + " of the database cannot be used: " + why
                + ". Name a file of SQLite, or create it with the mode \"rwc\".");
    }

    private static boolean isBelow(Path folder, Path real) {
        try {
            Path allowed = folder.toRealPath();
            return real.startsWith(allowed) && !real.equals(allowed);
        } catch (IOException missing) {
            return false;
        }
    }
}
