package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.PublicAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where packages of Python may come from: an index, or an address by HTTPS that is not of the worker's own network. Files of
 * the worker's machine are no source of packages, because building one runs what a script may have written there.
 */
record RequirementRule(PackageHosts hosts) {
    /** Longest requirement; longer ones are no list of packages. */
    private static final int CHARS_MAX = 8 << 10;

    private static final int SHOWN_MAX = 200;

    private static final Pattern REQUIREMENT =
            Pattern.compile("(?<name>[A-Za-z0-9][A-Za-z0-9._-]*+)\\s*+(?:\\[[A-Za-z0-9._,\\s-]*+])?\\s*+(?<rest>.*+)");

    /** What may stand behind a name: a version, a condition, or an address. */
    private static final Pattern REST = Pattern.compile("(?:[=<>!~(;@].*)?");

    /** uv takes a name with such an ending for a file. */
    private static final Pattern FILE_NAME = Pattern.compile(".*\\.(?:whl|zip|tar|tgz|tbz|txz|tar\\.[a-z0-9]+)");

    /** What uv would replace by variables of its own, some of which are passwords. */
    private static final Pattern VARIABLE = Pattern.compile("[$%]\\{|\\$[A-Za-z_]|[\\p{Cntrl}&&[^\\t]]");

    private static final Pattern NUMERIC_HOST = Pattern.compile("\\[.*]|[0-9.]+|0[xX].*");

    RequirementRule {
        requireNonNull(hosts, "hosts");
    }

    /**
     * Checks one requirement, without options.
     *
     * @param where it stands, for the error
     * @throws PackageException if the package would come from elsewhere than it may
     */
    void check(String requirement, String where) throws PackageException {
        String text = requirement.strip();
        Matcher parts = REQUIREMENT.matcher(text);
        if (text.length() > CHARS_MAX || VARIABLE.matcher(text).find()) {
            throw refused(text, where, "it has variables or control characters, or is too long. Write it out.");
        }
        if (!parts.matches()
                || !REST.matcher(parts.group("rest")).matches()
                || FILE_NAME
                        .matcher(parts.group("name").toLowerCase(Locale.ROOT))
                        .matches()) {
            throw refused(
                    text,
                    where,
                    "it is no name of a package, with or without a version. Files, folders and addresses without a name are no"
                            + " packages: use the name, or name @ https://….");
        }
        if (parts.group("rest").startsWith("@")) {
            String address = parts.group("rest").substring(1).strip();
            checkAddress(address.split("[\\s;]", 2)[0], text, where);
        }
    }

    /** Checks a text that names no place, such as a branch. */
    void checkPlain(String text, String where) throws PackageException {
        if (VARIABLE.matcher(text).find()) {
            throw refused(text, where, "it has variables or control characters. Write it out.");
        }
    }

    /** Whether a requirement has an address of its own. */
    static boolean hasAddress(String requirement) {
        Matcher parts = REQUIREMENT.matcher(requirement.strip());
        return parts.matches() && parts.group("rest").startsWith("@");
    }

    /**
     * Checks the address of a package, or of a repository with its source.
     *
     * @param entry the text that names it, for the error
     */
    void checkAddress(String address, String entry, String where) throws PackageException {
        Optional<URI> read = read(address.startsWith("git+") ? address.substring("git+".length()) : address);
        boolean hasHost = read.map(uri -> uri.getHost() != null).orElse(false);
        if (hasHost && isTrusted(read.get())) {
            return;
        }
        if (!hasHost || !"https".equalsIgnoreCase(read.get().getScheme())) {
            throw refused(
                    entry,
                    where,
                    "packages come by https only, and never from files of the worker's machine"
                            + (hasHost ? unlessListed() : "."));
        }
        int port = PackageHosts.portOf(read.get());
        if (port != PackageHosts.HTTPS_PORT) {
            throw refused(entry, where, "port " + port + " is not that of https" + unlessListed());
        }
        if (!isPublic(requireNonNull(read.get().getHost()))) {
            throw refused(entry, where, "its address is inside the worker's network" + unlessListed());
        }
    }

    private boolean isTrusted(URI uri) {
        return isHttp(uri) && hosts.trusts(requireNonNull(uri.getHost()), PackageHosts.portOf(uri));
    }

    /**
     * Checks an index that a script names.
     *
     * @throws PackageException unless the operator has listed its host
     */
    void checkIndex(String address, String where) throws PackageException {
        Optional<URI> uri = VARIABLE.matcher(address).find() ? Optional.empty() : read(address);
        if (uri.isEmpty()
                || uri.get().getHost() == null
                || !isHttp(uri.get())
                || !hosts.lists(requireNonNull(uri.get().getHost()), PackageHosts.portOf(uri.get()))) {
            throw new PackageException(
                    "This worker does not use the index \"" + shown(address) + "\" of " + where
                            + ": a script may name only hosts that " + PackageHosts.SETTING
                            + " lists. Let the administrator of the worker add its host, or configure the index there"
                            + " (UV_INDEX).",
                    false);
        }
    }

    private static String unlessListed() {
        return ", unless " + PackageHosts.SETTING + " lists the host.";
    }

    private static boolean isHttp(URI uri) {
        return List.of("https", "http").contains(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
    }

    private static Optional<URI> read(String address) {
        try {
            return Optional.of(new URI(address));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Whether a host may have a public address. Names are resolved when the worker connects, which looks again. */
    private static boolean isPublic(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.equals("localhost") || name.endsWith(".localhost")) {
            return false;
        }
        if (!NUMERIC_HOST.matcher(name).matches()) {
            return true;
        }
        try {
            return PublicAddress.test(InetAddress.getByName(name));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static PackageException refused(String entry, String where, String why) {
        return new PackageException(
                "This worker does not install \"" + shown(entry) + "\", which " + where + " names: " + why, false);
    }

    private static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "…";
    }
}
