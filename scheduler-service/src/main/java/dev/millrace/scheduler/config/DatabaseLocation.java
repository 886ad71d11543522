package dev.millrace.scheduler.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.Map;
import java.util.Optional;

/**
 * Address of a Postgres database, and the credentials for it. Its text form hides the password and the parameters.
 *
 * @param jdbcUrl URL without credentials, unless the operator wrote them there
 * @param user empty means the driver's default
 * @param password empty means none
 */
public record DatabaseLocation(String jdbcUrl, String user, String password) {
    private static final String JDBC_PREFIX = "jdbc:postgresql:";
    private static final String EXPECTED =
            "expected: postgres://user:password@host:5432/database or jdbc:postgresql://…";
    private static final int PORT_DEFAULT = 5432;

    /** Reads {@code postgres://user:password@host:port/database?parameters}, {@code postgresql://…} or a JDBC URL. */
    public static DatabaseLocation parse(String url) {
        if (url.startsWith(JDBC_PREFIX)) {
            return new DatabaseLocation(url, "", "");
        }
        URI uri = uri(url);
        String scheme = Optional.ofNullable(uri.getScheme()).orElse("");
        if (!scheme.equals("postgres") && !scheme.equals("postgresql")) {
            throw refused("its scheme is \"" + scheme + "\"");
        }
        String[] credentials =
                Optional.ofNullable(uri.getRawUserInfo()).orElse("").split(":", 2);
        return new DatabaseLocation(
                jdbcUrl(uri), decode(credentials[0]), credentials.length > 1 ? decode(credentials[1]) : "");
    }

    /**
     * Reads libpq's variables PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD. Empty if neither PGHOST nor PGDATABASE
     * is set.
     */
    static Optional<DatabaseLocation> fromLibpq(Map<String, String> environment) {
        if (!environment.containsKey("PGHOST") && !environment.containsKey("PGDATABASE")) {
            return Optional.empty();
        }
        String user = environment.getOrDefault("PGUSER", "postgres");
        String url = "jdbc:postgresql://" + environment.getOrDefault("PGHOST", "localhost") + ":"
                + environment.getOrDefault("PGPORT", String.valueOf(PORT_DEFAULT)) + "/"
                + environment.getOrDefault("PGDATABASE", user);
        return Optional.of(new DatabaseLocation(url, user, environment.getOrDefault("PGPASSWORD", "")));
    }

    /** Host, port and database, for messages. */
    public String describe() {
        int parameters = jdbcUrl.indexOf('?');
        return jdbcUrl.substring(JDBC_PREFIX.length(), parameters < 0 ? jdbcUrl.length() : parameters)
                .replaceFirst("^//", "");
    }

    @Override
    public String toString() {
        return describe();
    }

    private static String jdbcUrl(URI uri) {
        String host = Optional.ofNullable(uri.getHost()).orElse("localhost");
        int port = uri.getPort() < 0 ? PORT_DEFAULT : uri.getPort();
        String parameters = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return "jdbc:postgresql://" + host + ":" + port
                + Optional.ofNullable(uri.getRawPath()).orElse("/") + parameters;
    }

    private static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException unreadable) {
            // The cause is left out on purpose: its message quotes the URL with the password.
            throw refused("it cannot be read as a URL");
        }
    }

    private static MillraceException refused(String why) {
        return new MillraceException(
                ErrorCode.INVALID_CONFIG, "millrace.database.url is not usable: " + why + " (" + EXPECTED + ")");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }
}
