package dev.millrace.worker.internal.packages;

import java.nio.file.Path;

/** What processes of Bun use of a set of packages. */
public final class BunSet {
    private BunSet() {}

    /** The folder in which Bun looks for packages. */
    public static Path modules(Path set) {
        return set.resolve(BunInstaller.MODULES);
    }
}
