package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/** Where a script lists its packages. */
public sealed interface PackageDeclaration {
    /**
     * A list in a file.
     *
     * @param file the script itself (PEP 723), or a {@code requirements.txt} or {@code pyproject.toml} beside it
     */
    record InFile(Path file) implements PackageDeclaration {
        public InFile {
            requireNonNull(file, "file");
        }
    }

    /** Requirements in a form of Windmill: a comment of the script, or the lock with which it was exported. */
    record Listed(List<String> requirements) implements PackageDeclaration {
        public Listed {
            requirements = List.copyOf(requirements);
        }
    }
}
