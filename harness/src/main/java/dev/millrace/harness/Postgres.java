package dev.millrace.harness;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A real Postgres with one empty database. */
public interface Postgres extends AutoCloseable {
    /** JDBC URL of the database, with user and password. */
    String jdbcUrl();

    @Override
    void close();

    /** Opens a connection for tests that read the tables themselves. */
    default Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /**
     * Returns a database on the server that {@code MILLRACE_TEST_DATABASE_URL} names, else in a container if a Docker
     * engine answers, else on an embedded server.
     */
    static Postgres start() {
        String given = System.getenv("MILLRACE_TEST_DATABASE_URL");
        if (given != null && !given.isBlank()) {
            return GivenPostgres.create(given);
        }
        return ContainerPostgres.engineAnswers()
                ? ContainerPostgres.create()
                : EmbeddedServer.shared().createDatabase();
    }

    /**
     * Returns a new database on the server at this URL, {@code jdbc:postgresql://…} or {@code postgres://…}. The URL's
     * user must be allowed to create databases.
     */
    static Postgres on(String url) {
        return GivenPostgres.create(url);
    }
}
