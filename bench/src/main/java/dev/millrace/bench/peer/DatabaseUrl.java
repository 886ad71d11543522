package dev.millrace.bench.peer;

import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Converts a JDBC URL into the form that all programs other than Java use. */
final class DatabaseUrl {
    private static final String JDBC = "jdbc:";

    private DatabaseUrl() {}

    /**
     * Returns {@code postgresql://user:password@host:port/database} for {@code
     * jdbc:postgresql://host:port/database?user=…&password=…}.
     */
    static String of(String jdbcUrl) {
        URI uri = URI.create(jdbcUrl.substring(JDBC.length()));
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        Map<String, String> parameters = Arrays.stream(query.split("&", -1))
                .filter(part -> part.contains("="))
                .collect(Collectors.toMap(part -> part.split("=", 2)[0], part -> part.split("=", 2)[1]));
        String user = parameters.getOrDefault("user", "postgres");
        String password = parameters.getOrDefault("password", "");
        return "postgresql://" + user + (password.isEmpty() ? "" : ":" + password) + "@" + uri.getHost() + ":"
                + uri.getPort() + uri.getRawPath();
    }
}
