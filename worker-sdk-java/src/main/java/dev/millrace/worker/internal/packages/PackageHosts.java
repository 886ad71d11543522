package dev.millrace.worker.internal.packages;

import dev.millrace.tls.PublicAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts from which packages may come. Those that somebody responsible for the worker has named are trusted whatever their
 * address is, since mirrors are often private. Any other host is reached by HTTPS only, at public addresses.
 *
 * @param trusted hosts as {@code name:port}
 * @param listed those of them that the operator has listed in {@value #SETTING}: only these may a script name as an index
 */
public record PackageHosts(Set<String> trusted, Set<String> listed) {
    /** Name of the setting that lists hosts. */
    static final String SETTING = "millrace.worker.package-hosts";

    static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    /** Where uv, npm, Deno and Go look for packages if nothing else is configured. */
    private static final List<String> REGISTRIES = List.of(
            "pypi.org",
            "files.pythonhosted.org",
            "registry.npmjs.org",
            "jsr.io",
            "npm.jsr.io",
            "proxy.golang.org",
            "sum.golang.org");

    /** Addresses of indexes in the values of variables such as {@code UV_INDEX} and {@code NPM_CONFIG_REGISTRY}. */
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s,;|\"'<>]+");

    private static final Pattern OF_INSTALLER = Pattern.compile("(?:UV|PIP|NPM|npm|JSR|BUN_CONFIG)_.*|GOPROXY|GOSUMDB");
    private static final Pattern HOST =
            Pattern.compile("(?<name>[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(?<port>[0-9]{1,5}))?");

    public PackageHosts {
        trusted = Set.copyOf(trusted);
        listed = Set.copyOf(listed);
    }

    /**
     * The hosts of a worker.
     *
     * @param listed names with or without a port, which is 443 by default
     * @param variables of the worker, some of which configure indexes
     * @throws IllegalArgumentException if a name is none
     */
    public static PackageHosts of(Collection<String> listed, Map<String, String> variables) {
        Set<String> named = new TreeSet<>();
        for (String one : listed) {
            Matcher host = HOST.matcher(one);
            if (!host.matches()) {
                throw new IllegalArgumentException(
                        SETTING + " has \"" + one + "\" (expected: a host such as pypi.example.com or git.local:8443)");
            }
            named.add(key(
                    host.group("name"),
                    host.group("port") == null ? HTTPS_PORT : Integer.parseInt(host.group("port"))));
        }
        Set<String> trusted = new TreeSet<>(named);
        REGISTRIES.forEach(name -> trusted.add(key(name, HTTPS_PORT)));
        variables.forEach((name, value) -> {
            if (OF_INSTALLER.matcher(name).matches()) {
                trusted.addAll(in(value));
            }
        });
        return new PackageHosts(trusted, named);
    }

    /** The same with the hosts of all addresses in texts by which somebody responsible for the worker configures it. */
    PackageHosts with(Collection<String> configuration) {
        Set<String> all = new TreeSet<>(trusted);
        configuration.forEach(text -> all.addAll(in(text)));
        return new PackageHosts(all, listed);
    }

    /** The hosts of the addresses in a text, as {@code name:port}. */
    static Set<String> in(String text) {
        Set<String> hosts = new TreeSet<>();
        ADDRESS.matcher(text).results().forEach(found -> {
            try {
                URI uri = new URI(found.group());
                if (uri.getHost() != null) {
                    hosts.add(key(uri.getHost(), portOf(uri)));
                }
            } catch (URISyntaxException unreadable) {
                // The installer says what is wrong with its own variable.
            }
        });
        return hosts;
    }

    static int portOf(URI address) {
        if (address.getPort() >= 0) {
            return address.getPort();
        }
        return "https".equalsIgnoreCase(address.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    }

    private static String key(String host, int port) {
        return host.toLowerCase(Locale.ROOT) + ":" + port;
    }

    /** Whether a host is trusted whatever its address is. */
    boolean trusts(String host, int port) {
        return trusted.contains(key(host, port));
    }

    /** Whether a script may name this host as an index. */
    boolean lists(String host, int port) {
        return listed.contains(key(host, port));
    }

    /** Whether an installer may connect to this address of a host. */
    boolean admits(String host, int port, InetAddress address) {
        return trusts(host, port) || (port == HTTPS_PORT && PublicAddress.test(address));
    }
}
