package dev.millrace.scheduler.mqtt.protocol;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.PemTls;
import dev.millrace.tls.TlsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;

/**
 * Where a broker is and who connects, as a resource says.
 *
 * @param user empty for none
 * @param password empty for none
 * @param tls absent for plain text
 */
public record Broker(String host, int port, Version version, String user, String password, Optional<SSLContext> tls) {
    private static final String URL = "url";
    private static final String VERSION = "version";
    private static final String USER = "user";
    private static final String PASSWORD = "password";
    private static final String AUTHORITIES = "root_certificate_pem";
    private static final String CERTIFICATE = "certificate_pem";
    private static final String KEY = "key_pem";
    private static final Set<String> KNOWN = Set.of(URL, VERSION, USER, PASSWORD, AUTHORITIES, CERTIFICATE, KEY);
    private static final String EXPECTED = "mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS";
    private static final int PORT = 1_883;
    private static final int TLS_PORT = 8_883;
    private static final int TEXT_LENGTH_MAX = 10_000;

    public Broker {
        requireNonNull(host, "host");
        requireNonNull(version, "version");
        requireNonNull(user, "user");
        requireNonNull(password, "password");
        requireNonNull(tls, "tls");
    }

    /** A resource that does not say how to reach a broker. The message is a clause without any value that may be secret. */
    public static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String clause) {
            super(clause, null, false, false);
        }
    }

    /** Reads a resource. */
    public static Broker of(Map<String, String> given) throws Unusable {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new Unusable("it has " + String.join(", ", unknown) + " (known: "
                    + String.join(", ", new TreeSet<>(KNOWN)) + ")");
        }
        URI url = url(given.getOrDefault(URL, ""));
        boolean isTls = url.getScheme().equals("mqtts");
        String version = given.getOrDefault(VERSION, Version.V5.toString());
        String user = given.getOrDefault(USER, "");
        String password = given.getOrDefault(PASSWORD, "");
        if (user.length() > TEXT_LENGTH_MAX || password.length() > TEXT_LENGTH_MAX) {
            throw new Unusable(
                    "its user or password is too long (expected: at most " + TEXT_LENGTH_MAX + " characters)");
        }
        if (user.isEmpty() && !password.isEmpty()) {
            throw new Unusable("it has a password without a user");
        }
        return new Broker(
                url.getHost().replaceAll("[\\[\\]]", ""),
                url.getPort() >= 0 ? url.getPort() : isTls ? TLS_PORT : PORT,
                Version.of(version)
                        .orElseThrow(() -> new Unusable("its version is " + version + " (expected: 5 or 3.1.1)")),
                user,
                password,
                isTls ? Optional.of(tls(given)) : Optional.empty());
    }

    private static URI url(String text) throws Unusable {
        try {
            URI url = new URI(text.strip());
            boolean isPlain = url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && (url.getRawPath() == null
                            || url.getRawPath().replace("/", "").isEmpty());
            boolean isOfMqtt = Set.of("mqtt", "mqtts").contains(String.valueOf(url.getScheme()));
            if (isPlain && isOfMqtt && url.getHost() != null && url.getPort() != 0 && url.getPort() < 1 << 16) {
                return url;
            }
        } catch (URISyntaxException notPrinted) {
            // Its message may hold a password.
        }
        throw new Unusable("its url is none of a broker (expected: " + EXPECTED + ")");
    }

    private static SSLContext tls(Map<String, String> given) throws Unusable {
        if (given.containsKey(CERTIFICATE) != given.containsKey(KEY)) {
            throw new Unusable("it has only one of " + CERTIFICATE + " and " + KEY);
        }
        try {
            return PemTls.client(
                    "it",
                    Optional.ofNullable(given.get(AUTHORITIES)),
                    Optional.ofNullable(given.get(CERTIFICATE))
                            .map(certificate -> new PemTls.Own(certificate, given.getOrDefault(KEY, ""))));
        } catch (TlsException unusable) {
            throw new Unusable(String.valueOf(unusable.getMessage()).replaceFirst("\\.$", ""));
        }
    }

    /** Host and port, which hide the password. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
