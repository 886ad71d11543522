package dev.millrace.worker;

import dev.millrace.worker.internal.packages.ImportHosts;
import dev.millrace.worker.internal.packages.PackageHosts;
import java.util.List;
import java.util.Map;

/**
 * Where the code comes from that scripts declare or import.
 *
 * @param packageHosts hosts, with or without a port, beside the public registries and the configured indexes: packages come
 *     from them whatever their address is, and scripts may name them as an index
 * @param importHosts hosts, with or without a port, from which scripts for Deno import modules by their address
 */
public record PackageSources(List<String> packageHosts, List<String> importHosts) {
    /** The public registries, and the hosts that Deno itself trusts. */
    public static final PackageSources DEFAULT = new PackageSources(List.of(), ImportHosts.DEFAULT);

    public PackageSources {
        packageHosts = List.copyOf(packageHosts);
        importHosts = List.copyOf(importHosts);
        // Looked at here, so that a worker with a mistake in its settings does not start.
        var unusedPackages = PackageHosts.of(packageHosts, Map.of());
        var unusedImports = ImportHosts.of(importHosts);
    }
}
