package dev.millrace.harness;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Databases on a server that the user provides. */
final class GivenPostgres {
    private GivenPostgres() {}

    static Postgres create(String url) {
        return ServerDatabase.create(url.startsWith("jdbc:") ? url : toJdbcUrl(URI.create(url)));
    }

    /** Translates {@code postgres://user:password@host:port/database} into the form that JDBC takes. */
    static String toJdbcUrl(URI url) {
        String credentials = url.getUserInfo() == null ? "" : url.getUserInfo();
        int colon = credentials.indexOf(':');
        String user = colon < 0 ? credentials : credentials.substring(0, colon);
        String password = colon < 0 ? "" : credentials.substring(colon + 1);
        int port = url.getPort() < 0 ? 5432 : url.getPort();
        return "jdbc:postgresql://%s:%d%s?user=%s&password=%s"
                .formatted(url.getHost(), port, url.getPath(), encode(user), encode(password));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
