package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.InstallerSandbox;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Sandboxes of programs of the worker's own, such as installers and readers of signatures: they read what authors of scripts
 * and of packages have written, so a fault of theirs would be a way out of the sandboxes of scripts.
 */
final class OwnSandboxes {
    private final Optional<Sandbox> offline;
    private final InstallerSandbox installers;

    /** @param ofScripts empty if there are none */
    OwnSandboxes(Optional<Sandbox> ofScripts) {
        this.offline = ofScripts.map(Sandbox::withoutNetwork);
        this.installers = ofScripts
                .map(sandbox -> (InstallerSandbox) new Walled(sandbox.withNetwork()))
                .orElse(InstallerSandbox.NONE);
    }

    /** Those of programs that install packages. */
    InstallerSandbox installers() {
        return installers;
    }

    /**
     * Beginning of a command line that runs a program without network; nothing if scripts have no sandbox.
     *
     * @param folder working folder
     */
    List<String> offline(Path folder, Collection<Path> readable, Collection<Path> writable) {
        return offline.map(sandbox -> sandbox.command(folder, readable, writable))
                .orElse(List.of());
    }

    private record Walled(Sandbox sandbox) implements InstallerSandbox {
        @Override
        public boolean isWalled() {
            return true;
        }

        @Override
        public List<String> around(Path folder, Collection<Path> readable, Collection<Path> writable) {
            return sandbox.command(folder, readable, writable);
        }
    }
}
