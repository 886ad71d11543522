package dev.millrace.bench.system;

import dev.millrace.bench.measure.Check;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.Postgres;
import java.net.URI;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Postgres server for all measurements of one run of the benchmarks; it must not lose committed data. */
public final class DatabaseServer implements AutoCloseable {
    private final Supplier<Postgres> databases;
    private final Runnable stop;

    private DatabaseServer(Supplier<Postgres> databases, Runnable stop) {
        this.databases = databases;
        this.stop = stop;
    }

    /** Starts the embedded server, or uses the one at this URL, whose user must be allowed to create databases. */
    public static DatabaseServer open(@Nullable String url) throws SQLException {
        DatabaseServer server;
        if (url == null) {
            EmbeddedServer embedded = EmbeddedServer.start();
            server = new DatabaseServer(embedded::createDatabase, embedded::close);
        } else {
            server = new DatabaseServer(() -> Postgres.on(url), () -> {});
        }
        try (Postgres database = server.createDatabase()) {
            Check.equal("the server's setting fsync", "on", text(database, "show fsync"));
            Check.equal("the server's setting synchronous_commit", "on", text(database, "show synchronous_commit"));
        }
        return server;
    }

    /** Creates an empty database. */
    public Postgres createDatabase() {
        return databases.get();
    }

    /** Queries one number. */
    public static long number(Postgres database, String sql) throws SQLException {
        return Long.parseLong(text(database, sql));
    }

    /** Queries one text. */
    public static String text(Postgres database, String sql) throws SQLException {
        try (var connection = database.connect();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Runs statements that return nothing. */
    public static void execute(Postgres database, String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static int port(Postgres database) {
        return URI.create(database.jdbcUrl().substring("jdbc:".length())).getPort();
    }

    /** Process id of the server if it runs on this machine: the parent of the process that serves a connection. */
    static OptionalLong mainPid(Postgres database) throws SQLException {
        try (var connection = database.connect();
                var rows = connection.createStatement().executeQuery("select pg_backend_pid()")) {
            rows.next();
            return ProcessHandle.of(rows.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .filter(parent -> parent.info().command().orElse("").endsWith("/postgres"))
                    .map(parent -> OptionalLong.of(parent.pid()))
                    .orElse(OptionalLong.empty());
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
