package dev.millrace.worker.internal.python;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/**
 * An interpreter of this machine that can be started.
 *
 * @param folders where it keeps its own modules, also those of a virtual environment
 */
public record InstalledPython(Path program, PythonVersion version, List<Path> folders) {
    public InstalledPython {
        requireNonNull(program, "program");
        requireNonNull(version, "version");
        folders = List.copyOf(folders);
    }

    /** A name for folders, such as {@code python3.12.1}. */
    public String name() {
        return "python" + version;
    }
}
