package dev.millrace.worker.internal.packages;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Sandboxes in which the programs run that choose and install packages. They reach the network. */
public interface InstallerSandbox {
    /** No sandbox: programs do what the worker's user may do. */
    InstallerSandbox NONE = new InstallerSandbox() {
        @Override
        public boolean isWalled() {
            return false;
        }

        @Override
        public List<String> around(Path folder, Collection<Path> readable, Collection<Path> writable) {
            return List.of();
        }
    };

    /** Whether there are sandboxes. */
    boolean isWalled();

    /**
     * Beginning of a command line that runs the rest in a sandbox.
     *
     * @param folder working folder
     * @param readable files and folders that the program may read
     * @param writable folders in which it may write, and which exist
     */
    List<String> around(Path folder, Collection<Path> readable, Collection<Path> writable);
}
