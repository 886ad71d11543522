package dev.millrace.worker.internal.packages;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a set of packages for Deno consists of, and where processes find it. */
public final class DenoSet {
    /** Name of the registry under which sets have all their packages; processes reach none. */
    static final String REGISTRY = "packages.invalid";

    /** Address that makes Deno look for packages where sets have them. */
    public static final String REGISTRY_ADDRESS = "http://" + REGISTRY;

    /** Name of the folder, in that of a workspace, with a folder for each set that its scripts have used. */
    public static final String LINKS = "packages";

    private DenoSet() {}

    /**
     * Hosts of the registry of JSR, as {@code name:port}: its packages are modules with an address.
     *
     * @param variables of the worker, one of which may name another registry
     */
    public static Set<String> registries(Map<String, String> variables) {
        return PackageHosts.in(variables.getOrDefault("JSR_URL", "https://jsr.io"));
    }

    /** The lock file of a set. */
    public static Path lock(Path set) {
        return set.resolve(DenoInstaller.LOCK);
    }

    /** The parts of a set that belong into Deno's cache. */
    public static List<Path> cached(Path set) {
        return List.of(set.resolve(DenoInstaller.NPM), set.resolve(DenoInstaller.REMOTE));
    }
}
