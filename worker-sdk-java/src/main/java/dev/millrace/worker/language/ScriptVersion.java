package dev.millrace.worker.language;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One version of a script on this machine. Its files must not be changed.
 *
 * @param file the script
 * @param folder folder with only the script and the files that belong to it
 * @param prepared folder with what {@link Preparer} made; empty if the language prepares nothing
 * @param packages folders with the packages that were chosen for it; empty if it needs none, or while it is prepared
 */
public record ScriptVersion(Path file, Path folder, Optional<Path> prepared, List<Path> packages) {
    public ScriptVersion {
        requireNonNull(file, "file");
        requireNonNull(folder, "folder");
        requireNonNull(prepared, "prepared");
        packages = List.copyOf(packages);
    }
}
