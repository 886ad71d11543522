package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.packages.PreparedPackages;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A script on this machine.
 *
 * @param file its source
 * @param tree folder with all files of the script; empty if it has no further ones
 * @param packages what it imports besides the packages of its interpreter
 */
record Script(Path file, ScriptRuntime runtime, Optional<Path> tree, PreparedPackages packages) {
    /** A script without packages. */
    Script(Path file, ScriptRuntime runtime, Optional<Path> tree) {
        this(file, runtime, tree, PreparedPackages.NONE);
    }

    /** A script of a single file, without packages. */
    Script(Path file, ScriptRuntime runtime) {
        this(file, runtime, Optional.empty());
    }

    Script with(PreparedPackages prepared) {
        return new Script(file, runtime, tree, prepared);
    }

    /** The folder that holds only the script and its files. */
    Path folder() {
        return tree.orElseGet(() -> requireNonNull(file.getParent(), "folder of the script"));
    }
}
