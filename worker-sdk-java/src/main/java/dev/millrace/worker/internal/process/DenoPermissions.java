package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.permission.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Decides which permissions a script for Deno gets. */
final class DenoPermissions {
    private DenoPermissions() {}

    /**
     * The permissions of a script.
     *
     * @param granted what this worker grants
     * @throws LoadException if the script asks for more
     */
    static Permissions of(Script script, Permissions granted) {
        try {
            return script.annotation().permissions().within(granted, DenoPermissions::realPath);
        } catch (IllegalArgumentException e) {
            String all = granted.toString();
            throw new LoadException(
                    "The script asks for " + e.getMessage() + ", but this worker grants "
                            + (all.isEmpty() ? "nothing" : "only " + all)
                            + ". Ask for less, or let the administrator of the worker extend"
                            + " millrace.worker.deno-permissions.",
                    false);
        } catch (IOException e) {
            throw new LoadException("A path in the annotations of the script cannot be resolved: " + e + ".", true);
        }
    }

    /** Resolves the links of the part of a path that exists; the rest may come later, and has none now. */
    static Path realPath(Path path) throws IOException {
        Path normal = path.normalize();
        Path parent = normal.getParent();
        if (Files.exists(normal, LinkOption.NOFOLLOW_LINKS) || parent == null) {
            return normal.toRealPath();
        }
        return realPath(parent).resolve(String.valueOf(normal.getFileName()));
    }
}
