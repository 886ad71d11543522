package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.packages.PreparedPackages;
import java.nio.file.Path;

/**
 * A script on this machine.
 *
 * @param file its source
 * @param packages what it imports besides the packages of its interpreter
 */
record Script(Path file, ScriptRuntime runtime, PreparedPackages packages) {
    /** A script without packages. */
    Script(Path file, ScriptRuntime runtime) {
        this(file, runtime, PreparedPackages.NONE);
    }

    /** The folder that holds only the script. */
    Path folder() {
        return requireNonNull(file.getParent(), "folder of the script");
    }
}
