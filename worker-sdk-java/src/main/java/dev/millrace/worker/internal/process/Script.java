package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/**
 * A script on this machine.
 *
 * @param file its source
 * @param packages folders from which it imports packages, besides those of its interpreter
 */
record Script(Path file, ScriptRuntime runtime, List<Path> packages) {
    Script {
        packages = List.copyOf(packages);
    }

    /** A script without packages. */
    Script(Path file, ScriptRuntime runtime) {
        this(file, runtime, List.of());
    }

    /** The folder that holds only the script. */
    Path folder() {
        return requireNonNull(file.getParent(), "folder of the script");
    }
}
