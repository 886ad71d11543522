package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hosts from which scripts for Deno import modules by their address: while their packages are installed, while their types are
 * checked, and while they run. An operator names them, so that no import reaches the network around the worker unasked.
 *
 * @param hosts as {@code name:port}
 */
public record ImportHosts(List<String> hosts) {
    /** Those from which Deno itself imports without being asked. */
    public static final List<String> DEFAULT = List.of(
            "deno.land",
            "jsr.io",
            "esm.sh",
            "raw.esm.sh",
            "cdn.jsdelivr.net",
            "raw.githubusercontent.com",
            "gist.githubusercontent.com");

    private static final String SETTING = "millrace.worker.import-hosts";

    private static final Pattern HOST = Pattern.compile("(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?");
    private static final Pattern WITH_PORT = Pattern.compile(".*:[0-9]+");

    public ImportHosts {
        hosts = List.copyOf(hosts);
    }

    /**
     * Reads names with or without a port, which is 443 by default.
     *
     * @throws IllegalArgumentException if a name is none
     */
    public static ImportHosts of(List<String> names) {
        List<String> hosts = new ArrayList<>();
        for (String name : names) {
            if (!HOST.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        SETTING + " has \"" + name + "\" (expected: a host such as esm.sh or modules.local:8443)");
            }
            hosts.add(WITH_PORT.matcher(name).matches() ? name : name + ":" + PackageHosts.HTTPS_PORT);
        }
        return new ImportHosts(hosts);
    }

    /** The hosts that a script may also reach by {@code fetch}. */
    public ImportHosts within(Permissions permissions) {
        Optional<Set<String>> reached = Optional.ofNullable(permissions.values().get(Permission.NET));
        if (reached.isPresent() && reached.get().isEmpty()) {
            return this;
        }
        Set<String> allowed = reached.orElse(Set.of());
        return new ImportHosts(hosts.stream()
                .filter(host -> allowed.contains(host) || allowed.contains(host.replaceFirst(":[0-9]+$", "")))
                .toList());
    }

    /**
     * Checks the address of a module.
     *
     * @throws PackageException if its host is none of these
     */
    void check(String address) throws PackageException {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw refused(address);
        }
        boolean isPackage = List.of("npm", "jsr").contains(String.valueOf(uri.getScheme()));
        if (!isPackage && (uri.getHost() == null || !hosts.contains(uri.getHost() + ":" + PackageHosts.portOf(uri)))) {
            throw refused(address);
        }
    }

    private static PackageException refused(String address) {
        return new PackageException(
                "The script may not import " + address + ": its host is not among those of " + SETTING
                        + ", or not among those that the script may reach (allow-net).",
                false);
    }

    /** The same with further hosts, as {@code name:port}. */
    public ImportHosts with(Collection<String> further) {
        return new ImportHosts(
                Stream.concat(hosts.stream(), further.stream()).distinct().toList());
    }

    /** The flags of Deno. */
    public List<String> flags() {
        return hosts.isEmpty() ? List.of("--deny-import") : List.of("--allow-import=" + String.join(",", hosts));
    }
}
