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
 * @param runtime folder with what {@link ScriptLanguage#runtime} has; empty if that is nothing, or while it is prepared
 */
public record ScriptVersion(
        Path file, Path folder, Optional<Path> prepared, List<Path> packages, Optional<Path> runtime) {
    public ScriptVersion {
        requireNonNull(file, "file");
        requireNonNull(folder, "folder");
        requireNonNull(prepared, "prepared");
        requireNonNull(runtime, "runtime");
        packages = List.copyOf(packages);
    }

    /** A version in a language without a runtime of its own. */
    public ScriptVersion(Path file, Path folder, Optional<Path> prepared, List<Path> packages) {
        this(file, folder, prepared, packages, Optional.empty());
    }
}
