package dev.millrace.scheduler.config;

import dev.millrace.scheduler.error.MillraceException;
import java.util.LinkedHashMap;
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
    /** Variables of libpq, and the parameters of a URI that say the same. */
    private static final Map<String, String> LIBPQ_PARAMETERS = Map.of(
            "PGTARGETSESSIONATTRS", "target_session_attrs",
            "PGSSLMODE", "sslmode",
            "PGSSLCERT", "sslcert",
            "PGSSLKEY", "sslkey",
            "PGSSLROOTCERT", "sslrootcert",
            "PGCHANNELBINDING", "channel_binding",
            "PGCONNECT_TIMEOUT", "connect_timeout",
            "PGOPTIONS", "options");

    /**
     * Reads {@code postgres://user:password@host1:port1,host2:port2/database?parameters} as libpq does, or a JDBC URL.
     *
     * @throws MillraceException with {@code INVALID_CONFIG} if it cannot be read whole
     */
    public static DatabaseLocation parse(String url) {
        return url.startsWith(JDBC_PREFIX) ? new DatabaseLocation(url, "", "") : PostgresUri.parse(url);
    }

    /**
     * Reads libpq's variables PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGTARGETSESSIONATTRS, and those for TLS.
     * Empty if neither PGHOST nor PGDATABASE is set.
     */
    static Optional<DatabaseLocation> fromLibpq(Map<String, String> environment) {
        if (!environment.containsKey("PGHOST") && !environment.containsKey("PGDATABASE")) {
            return Optional.empty();
        }
        String user = environment.getOrDefault("PGUSER", "postgres");
        Map<String, String> parameters = new LinkedHashMap<>();
        LIBPQ_PARAMETERS.forEach((variable, parameter) -> {
            if (environment.containsKey(variable)) {
                parameters.put(parameter, environment.get(variable));
            }
        });
        String url = PostgresUri.jdbcUrl(
                environment.getOrDefault("PGHOST", "localhost"),
                environment.getOrDefault("PGPORT", ""),
                environment.getOrDefault("PGDATABASE", user),
                parameters);
        return Optional.of(new DatabaseLocation(url, user, environment.getOrDefault("PGPASSWORD", "")));
    }

    /** The same database with other credentials, which replace those of the URL. */
    DatabaseLocation with(Optional<String> otherUser, Optional<String> otherPassword) {
        return new DatabaseLocation(jdbcUrl, otherUser.orElse(user), otherPassword.orElse(password));
    }

    /** Hosts, ports and database, for messages. */
    public String describe() {
        int parameters = jdbcUrl.indexOf('?');
        return jdbcUrl.substring(JDBC_PREFIX.length(), parameters < 0 ? jdbcUrl.length() : parameters)
                .replaceFirst("^//", "");
    }

    @Override
    public String toString() {
        return describe();
    }
}
