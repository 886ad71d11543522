package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** A script's file on this machine. */
record Script(Path file, ScriptRuntime runtime) {
    /** The folder that holds only the script. */
    Path folder() {
        return requireNonNull(file.getParent(), "folder of the script");
    }
}
