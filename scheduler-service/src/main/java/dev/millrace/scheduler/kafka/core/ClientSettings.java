package dev.millrace.scheduler.kafka.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Settings of Kafka's client that a resource may have. Only what is listed here counts: others name files of the server,
 * classes to load, or further addresses.
 */
public final class ClientSettings {
    public static final String SERVERS = "bootstrap.servers";

    private static final String PROTOCOL = "security.protocol";
    private static final String MECHANISM = "sasl.mechanism";
    private static final String USER = "sasl.username";
    private static final String PASSWORD = "sasl.password";
    private static final String AUTHORITIES = "ssl.truststore.certificates";
    private static final String CERTIFICATE = "ssl.keystore.certificate.chain";
    private static final String KEY = "ssl.keystore.key";

    private static final Set<String> KNOWN =
            Set.of(SERVERS, PROTOCOL, MECHANISM, USER, PASSWORD, AUTHORITIES, CERTIFICATE, KEY);
    private static final Set<String> PROTOCOLS = Set.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");
    private static final Map<String, String> MODULES = Map.of(
            "PLAIN", "org.apache.kafka.common.security.plain.PlainLoginModule",
            "SCRAM-SHA-256", "org.apache.kafka.common.security.scram.ScramLoginModule",
            "SCRAM-SHA-512", "org.apache.kafka.common.security.scram.ScramLoginModule");

    private ClientSettings() {}

    /** Why the settings of a resource cannot be used, as a clause; empty if they can. */
    public static Optional<String> problem(Map<String, String> given) {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            return Optional.of("it has " + String.join(", ", unknown) + " (known: "
                    + String.join(", ", new TreeSet<>(KNOWN)) + ")");
        }
        if (given.getOrDefault(SERVERS, "").isBlank()) {
            return Optional.of("it has no " + SERVERS + " (expected: HOST:PORT, several separated by commas)");
        }
        String protocol = given.getOrDefault(PROTOCOL, "PLAINTEXT");
        if (!PROTOCOLS.contains(protocol)) {
            return Optional.of(PROTOCOL + " is " + protocol + " (expected: one of "
                    + String.join(", ", new TreeSet<>(PROTOCOLS)) + ")");
        }
        boolean needsUser = protocol.startsWith("SASL_");
        if (needsUser && !MODULES.containsKey(given.getOrDefault(MECHANISM, ""))) {
            return Optional.of(MECHANISM + " is missing or unknown (expected: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512)");
        }
        if (needsUser && (!given.containsKey(USER) || !given.containsKey(PASSWORD))) {
            return Optional.of("it has no " + USER + " and " + PASSWORD + ", which " + protocol + " needs");
        }
        return given.containsKey(CERTIFICATE) == given.containsKey(KEY)
                ? Optional.empty()
                : Optional.of("it has only one of " + CERTIFICATE + " and " + KEY);
    }

    /** The hosts of the servers. */
    public static List<String> hosts(Map<String, String> given) {
        return Stream.of(given.getOrDefault(SERVERS, "").split(","))
                .map(String::strip)
                .filter(server -> !server.isEmpty())
                .map(server -> server.substring(0, Math.max(0, server.lastIndexOf(':'))))
                .toList();
    }

    /** The settings for a client. They must have no {@link #problem}. */
    public static Map<String, Object> of(Map<String, String> given) {
        String protocol = given.getOrDefault(PROTOCOL, "PLAINTEXT");
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(SERVERS, given.getOrDefault(SERVERS, "").strip());
        settings.put(PROTOCOL, protocol);
        if (protocol.startsWith("SASL_")) {
            String mechanism = given.getOrDefault(MECHANISM, "");
            settings.put(MECHANISM, mechanism);
            settings.put(
                    "sasl.jaas.config",
                    MODULES.get(mechanism) + " required username=" + quoted(given.getOrDefault(USER, "")) + " password="
                            + quoted(given.getOrDefault(PASSWORD, "")) + ";");
        }
        if (given.containsKey(AUTHORITIES)) {
            settings.put("ssl.truststore.type", "PEM");
            settings.put(AUTHORITIES, given.get(AUTHORITIES));
        }
        if (given.containsKey(CERTIFICATE)) {
            settings.put("ssl.keystore.type", "PEM");
            settings.put(CERTIFICATE, given.get(CERTIFICATE));
            settings.put(KEY, given.get(KEY));
        }
        return settings;
    }

    /** A text in the notation of JAAS, which no user name or password can leave. */
    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
