package dev.millrace.gateway;

import dev.millrace.gateway.json.Times;
import dev.millrace.text.Durations;
import dev.millrace.tls.ClientTls;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a gateway.
 *
 * @param host address to listen on; loopback by default
 * @param port port to listen on; 0 takes a free one
 * @param schedulerTarget gRPC target of the scheduler
 * @param allowedHosts names under which browsers may reach the gateway, besides localhost and plain IP addresses; `*`
 *     means any
 * @param publicUrl address of the gateway for browsers, if a proxy in front of it changes the scheme
 * @param trustedProxies addresses and networks of proxies whose `X-Forwarded-For` counts
 * @param tokenFile file with the token of the gateway, by which the scheduler believes it the addresses of callers
 * @param tls TLS towards callers and towards the scheduler
 * @param requestBytesMax largest request body
 * @param responseBytesMax largest message accepted from the scheduler
 * @param rpcTimeout longest time of one call to the scheduler, beyond the wait that a caller requested
 * @param keepAliveInterval time between two comments on an idle event stream
 * @param streamsMax largest number of open event streams
 * @param idleTimeout time after which a connection without a complete request is closed; incomplete headers do not
 *     count as a request
 */
public record GatewayConfig(
        String host,
        int port,
        String schedulerTarget,
        List<String> allowedHosts,
        Optional<URI> publicUrl,
        List<String> trustedProxies,
        Optional<Path> tokenFile,
        GatewayTls tls,
        int requestBytesMax,
        int responseBytesMax,
        Duration rpcTimeout,
        Duration keepAliveInterval,
        int streamsMax,
        Duration idleTimeout) {

    private static final int PORT_MAX = 65_535;
    private static final List<String> OWNED_PREFIXES = List.of("millrace.http.", "millrace.gateway.");

    private static final Pattern SEPARATOR = Pattern.compile("[^a-z0-9]+");

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("millrace.http.host", "127.0.0.1"),
            Map.entry("millrace.http.port", "8400"),
            Map.entry("millrace.http.allowed-hosts", ""),
            Map.entry("millrace.http.trusted-proxies", ""),
            Map.entry(GatewayTls.HTTP_CERTIFICATE, ""),
            Map.entry(GatewayTls.HTTP_KEY, ""),
            Map.entry(GatewayTls.HTTP_ALLOW_PLAINTEXT, "false"),
            Map.entry("millrace.scheduler.target", "localhost:8401"),
            Map.entry(ClientTls.CA, ""),
            Map.entry(ClientTls.CERTIFICATE, ""),
            Map.entry(ClientTls.KEY, ""),
            Map.entry(GatewayTls.SCHEDULER_ALLOW_PLAINTEXT, "false"),
            Map.entry("millrace.gateway.public-url", ""),
            Map.entry("millrace.gateway.token-file", ""),
            Map.entry("millrace.gateway.request-bytes-max", "8388608"),
            Map.entry("millrace.gateway.response-bytes-max", "67108864"),
            Map.entry("millrace.gateway.rpc-timeout", "15s"),
            Map.entry("millrace.gateway.keep-alive-interval", "4s"),
            Map.entry("millrace.gateway.streams-max", "1000"),
            Map.entry("millrace.gateway.idle-timeout", "15s"));

    public GatewayConfig {
        allowedHosts = List.copyOf(allowedHosts);
        trustedProxies = List.copyOf(trustedProxies);
        requireRange("millrace.http.port", port, 0, PORT_MAX);
        requireRange("millrace.gateway.request-bytes-max", requestBytesMax, 1, Integer.MAX_VALUE);
        requireRange("millrace.gateway.response-bytes-max", responseBytesMax, 1, Integer.MAX_VALUE);
        requireRange("millrace.gateway.streams-max", streamsMax, 1, Integer.MAX_VALUE);
        requirePositive("millrace.gateway.rpc-timeout", rpcTimeout);
        requirePositive("millrace.gateway.keep-alive-interval", keepAliveInterval);
        requirePositive("millrace.gateway.idle-timeout", idleTimeout);
    }

    /**
     * Reads the keys `millrace.http.*`, `millrace.gateway.*`, `millrace.scheduler.target` and those of the connection to it.
     *
     * @throws IllegalArgumentException if a value is invalid, or a key under the first two prefixes is unknown
     */
    public static GatewayConfig from(Config config) {
        var values = new HashMap<String, String>();
        DEFAULTS.keySet()
                .forEach(key -> config.getOptionalValue(key, String.class).ifPresent(value -> values.put(key, value)));
        config.getPropertyNames().forEach(GatewayConfig::refuseUnknown);
        return of(values);
    }

    /** Returns the defaults, overridden by these values. Throws as {@link #from}. */
    public static GatewayConfig of(Map<String, String> values) {
        values.keySet().forEach(GatewayConfig::refuseUnknown);
        var keys = new HashMap<>(DEFAULTS);
        keys.putAll(values);
        return new GatewayConfig(
                keys.getOrDefault("millrace.http.host", ""),
                integer(keys, "millrace.http.port"),
                keys.getOrDefault("millrace.scheduler.target", ""),
                list(keys, "millrace.http.allowed-hosts"),
                text(keys, "millrace.gateway.public-url").map(GatewayConfig::publicUrl),
                list(keys, "millrace.http.trusted-proxies"),
                text(keys, "millrace.gateway.token-file").map(Path::of),
                GatewayTls.read(key -> text(keys, key)),
                integer(keys, "millrace.gateway.request-bytes-max"),
                integer(keys, "millrace.gateway.response-bytes-max"),
                duration(keys, "millrace.gateway.rpc-timeout"),
                duration(keys, "millrace.gateway.keep-alive-interval"),
                integer(keys, "millrace.gateway.streams-max"),
                duration(keys, "millrace.gateway.idle-timeout"));
    }

    /** Rejects an unknown key. All spellings of a key (dots, dashes, an environment variable) are the same key. */
    private static void refuseUnknown(String key) {
        var name = normalized(key);
        var owned = OWNED_PREFIXES.stream().anyMatch(prefix -> name.startsWith(normalized(prefix)));
        if (owned && DEFAULTS.keySet().stream().map(GatewayConfig::normalized).noneMatch(name::equals)) {
            throw new IllegalArgumentException("The configuration key " + key + " is unknown. Known keys are: "
                    + String.join(", ", DEFAULTS.keySet().stream().sorted().toList()) + ".");
        }
    }

    private static String normalized(String key) {
        return SEPARATOR.matcher(key.toLowerCase(Locale.ROOT)).replaceAll("_");
    }

    private static int integer(Map<String, String> keys, String key) {
        var value = keys.getOrDefault(key, "");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw unusable(key, value, "expected: an integer", e);
        }
    }

    private static Duration duration(Map<String, String> keys, String key) {
        var value = keys.getOrDefault(key, "");
        return Durations.parse(value).orElseThrow(() -> unusable(key, value, Times.DURATION_EXPECTED, null));
    }

    private static List<String> list(Map<String, String> keys, String key) {
        return Stream.of(keys.getOrDefault(key, "").split(",", -1))
                .map(String::strip)
                .filter(host -> !host.isEmpty())
                .toList();
    }

    private static Optional<String> text(Map<String, String> keys, String key) {
        return Optional.of(keys.getOrDefault(key, "").strip()).filter(text -> !text.isEmpty());
    }

    private static URI publicUrl(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw unusable("millrace.gateway.public-url", text, "expected: an address", e);
        }
    }

    private static void requireRange(String key, int value, int min, int max) {
        if (value < min || value > max) {
            throw unusable(key, Integer.toString(value), "expected: " + min + " to " + max, null);
        }
    }

    private static void requirePositive(String key, Duration value) {
        if (!value.isPositive()) {
            throw unusable(key, value.toString(), "expected: more than zero", null);
        }
    }

    private static IllegalArgumentException unusable(
            String key, String value, String expected, @Nullable Exception cause) {
        return new IllegalArgumentException(key + ": " + value + " (" + expected + ")", cause);
    }
}
