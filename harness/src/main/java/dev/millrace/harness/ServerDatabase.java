package dev.millrace.harness;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** Database that is created on a running server and dropped on close. */
record ServerDatabase(String jdbcUrl, String adminUrl, String name) implements Postgres {
    /**
     * Creates a database. {@code adminUrl} leads to another database of the same server, and its user must be allowed
     * to create databases.
     */
    static ServerDatabase create(String adminUrl) {
        String name =
                "millrace_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        execute(adminUrl, "create database " + name);
        return new ServerDatabase(replaceDatabase(adminUrl, name), adminUrl, name);
    }

    @Override
    public void close() {
        execute(adminUrl, "drop database if exists " + name + " with (force)");
    }

    static String replaceDatabase(String jdbcUrl, String database) {
        int query = jdbcUrl.indexOf('?');
        String address = query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
        String parameters = query < 0 ? "" : jdbcUrl.substring(query);
        return address.substring(0, address.lastIndexOf('/') + 1) + database + parameters;
    }

    private static void execute(String url, String sql) {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run '" + sql + "' on the test server.", e);
        }
    }
}
