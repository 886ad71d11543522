package dev.millrace.scheduler.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a database is and who connects, in the words of resources for SQL scripts; a member {@code url} can stand for any of
 * them.
 *
 * @param sslMode a mode that the driver knows
 * @param rootCertificate certificate in PEM of the authority that is trusted; absent for those that Java trusts
 */
record Endpoint(
        String host,
        int port,
        String database,
        String user,
        String password,
        String sslMode,
        Optional<String> rootCertificate)
        implements Reading {
    private static final int PORT_DEFAULT = 5_432;
    private static final String PEM_BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String URL = "url";
    private static final String CERTIFICATE = "root_certificate_pem";
    private static final String MODE = "sslmode";
    private static final Set<String> KNOWN =
            Set.of("host", "port", "dbname", "database", "user", "password", MODE, "ssl", CERTIFICATE, URL);
    private static final Map<String, String> MODES = Map.of(
            "disable", "disable",
            "allow", "prefer",
            "prefer", "prefer",
            "require", "require",
            "verify-ca", "verify-full",
            "verify-full", "verify-full");

    Endpoint {
        requireNonNull(host, "host");
        requireNonNull(database, "database");
        requireNonNull(user, "user");
        requireNonNull(password, "password");
        requireNonNull(sslMode, "sslMode");
        requireNonNull(rootCertificate, "rootCertificate");
    }

    /** Reads a resource. */
    static Reading of(Map<String, String> resource) {
        Set<String> unknown = new TreeSet<>(resource.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            return unusable("it has " + String.join(", ", unknown) + " (known: "
                    + String.join(", ", new TreeSet<>(KNOWN)) + ")");
        }
        Map<String, String> given = new HashMap<>();
        if (resource.containsKey(URL)) {
            Optional<Map<String, String>> parts = ofUrl(resource.getOrDefault(URL, ""));
            if (parts.isEmpty()) {
                return unusable("its url is none (expected: postgresql://USER:PASSWORD@HOST:PORT/NAME?sslmode=MODE)");
            }
            given.putAll(parts.get());
        }
        given.putAll(resource);
        String host = given.getOrDefault("host", "");
        if (!host.matches("[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")) {
            return unusable("it has no host, or one that is no name and no address");
        }
        String port = given.getOrDefault("port", Integer.toString(PORT_DEFAULT));
        if (!port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
            return unusable("its port is " + port + " (expected: 1 to 65535)");
        }
        Optional<String> mode = mode(given);
        if (mode.isEmpty()) {
            return unusable(
                    "its sslmode is " + given.get(MODE) + " (expected: disable, prefer, require or verify-full)");
        }
        Optional<String> pem =
                Optional.ofNullable(given.get(CERTIFICATE)).map(String::strip).filter(text -> !text.isEmpty());
        // The driver would read anything else as the name of a file or of a variable.
        if (pem.filter(text -> !text.startsWith(PEM_BEGIN)).isPresent()) {
            return unusable("its root_certificate_pem is no certificate (expected: it begins with " + PEM_BEGIN + ")");
        }
        String user = given.getOrDefault("user", "");
        return new Endpoint(
                host,
                Integer.parseInt(port),
                given.getOrDefault("dbname", given.getOrDefault("database", user)),
                user,
                given.getOrDefault("password", ""),
                mode.get(),
                pem.map(text -> text + "\n"));
    }

    private static Unusable unusable(String problem) {
        return new Unusable(problem);
    }

    private static Optional<String> mode(Map<String, String> given) {
        if (given.containsKey(MODE)) {
            return Optional.ofNullable(MODES.get(given.get(MODE)));
        }
        return Optional.of(
                switch (given.getOrDefault("ssl", "")) {
                    case "true" -> "require";
                    case "false" -> "disable";
                    default -> "prefer";
                });
    }

    private static Optional<Map<String, String>> ofUrl(String text) {
        try {
            URI url = new URI(text);
            boolean isOfPostgres = List.of("postgresql", "postgres").contains(String.valueOf(url.getScheme()));
            if (!isOfPostgres || url.getHost() == null) {
                return Optional.empty();
            }
            Map<String, String> parts = new LinkedHashMap<>();
            parts.put("host", url.getHost().replaceAll("[\\[\\]]", ""));
            if (url.getPort() >= 0) {
                parts.put("port", Integer.toString(url.getPort()));
            }
            put(
                    parts,
                    "dbname",
                    Optional.ofNullable(url.getRawPath()).orElse("").replaceFirst("^/", ""));
            String account = Optional.ofNullable(url.getRawUserInfo()).orElse("");
            int colon = account.indexOf(':');
            put(parts, "user", colon < 0 ? account : account.substring(0, colon));
            put(parts, "password", colon < 0 ? "" : account.substring(colon + 1));
            for (String item : Optional.ofNullable(url.getRawQuery()).orElse("").split("&", -1)) {
                if (item.startsWith(MODE + "=")) {
                    put(parts, MODE, item.substring(MODE.length() + 1));
                } else if (!item.isEmpty()) {
                    return Optional.empty();
                }
            }
            return Optional.of(parts);
        } catch (URISyntaxException notPrinted) {
            // Its message may hold the password.
            return Optional.empty();
        }
    }

    private static void put(Map<String, String> parts, String name, String encoded) {
        if (!encoded.isEmpty()) {
            parts.put(name, URLDecoder.decode(encoded.replace("+", "%2B"), UTF_8));
        }
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return host + ":" + port + "/" + database;
    }
}
