package dev.millrace.worker.internal.packages;

import java.nio.file.Path;
import java.util.List;

/** What a set of packages for Deno consists of, and where processes find it. */
public final class DenoSet {
    /** Name of the registry under which sets have all their packages; processes reach none. */
    static final String REGISTRY = "packages.invalid";

    /** Address that makes Deno look for packages where sets have them. */
    public static final String REGISTRY_ADDRESS = "http://" + REGISTRY;

    /** Name of the folder, in that of a workspace, with a folder for each set that its scripts have used. */
    public static final String LINKS = "packages";

    private DenoSet() {}

    /** The lock file of a set. */
    public static Path lock(Path set) {
        return set.resolve(DenoInstaller.LOCK);
    }

    /** The parts of a set that belong into Deno's cache. */
    public static List<Path> cached(Path set) {
        return List.of(set.resolve(DenoInstaller.NPM), set.resolve(DenoInstaller.REMOTE));
    }
}
