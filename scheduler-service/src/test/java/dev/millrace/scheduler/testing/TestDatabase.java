package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database of its own for a test class.
 *
 * <p>It is on the server that {@code MILLRACE_TEST_DATABASE_URL} names, whose user must be allowed to create databases.
 * Without that variable, an embedded Postgres starts once a JVM. Databases are cloned from a template that is migrated
 * once.
 */
public final class TestDatabase implements AutoCloseable {
    private static final String URL_VARIABLE = "MILLRACE_TEST_DATABASE_URL";
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final String PREFIX =
            "millrace_test_" + ProcessHandle.current().pid() + "_";
    private static final int POOL_SIZE = 4;

    private final String name;

    private TestDatabase(String name) {
        this.name = name;
    }

    /** Creates a database with the current schema. */
    public static TestDatabase migrated() {
        return create(" template " + Migrated.TEMPLATE);
    }

    /** Creates an empty database. */
    public static TestDatabase empty() {
        return create("");
    }

    /** Settings of connections to this database. */
    public DatabaseConfig config() {
        return config(name);
    }

    /** Default settings with this database and any free port. */
    public SchedulerConfig schedulerConfig() {
        SchedulerConfig defaults = SchedulerConfig.defaults();
        return defaults.withDatabase(config())
                .withGrpcPort(0)
                .withSecrets(defaults.secrets().withKeyFileDefault(keys()));
    }

    /** Folder for the keys of secrets. */
    public Path keys() {
        return Path.of("target", "test-keys", name);
    }

    public Database open() {
        return Database.open(config());
    }

    /** Executes SQL with auto-commit. */
    public void execute(String sql) {
        execute(name, sql);
    }

    @Override
    public void close() {
        execute("postgres", "drop database if exists " + name + " with (force)");
    }

    private static TestDatabase create(String options) {
        String name = PREFIX + COUNTER.incrementAndGet();
        execute("postgres", "create database " + name + options);
        return new TestDatabase(name);
    }

    private static DatabaseConfig config(String database) {
        DatabaseLocation server = Server.LOCATION;
        String url = server.jdbcUrl().replaceFirst("/[^/?]*(\\?|$)", "/" + database + "$1");
        return new DatabaseConfig(new DatabaseLocation(url, server.user(), server.password()), POOL_SIZE, true);
    }

    private static void execute(String database, String sql) {
        DatabaseLocation location = config(database).location();
        try (Connection connection =
                        DriverManager.getConnection(location.jdbcUrl(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    private static final class Server {
        static final DatabaseLocation LOCATION = Optional.ofNullable(System.getenv(URL_VARIABLE))
                .map(DatabaseLocation::parse)
                .orElseGet(Server::embedded);

        private static DatabaseLocation embedded() {
            try {
                // The library registers a shutdown hook that closes the server.
                @SuppressWarnings("resource")
                EmbeddedPostgres postgres = EmbeddedPostgres.start();
                return new DatabaseLocation(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private static final class Migrated {
        static final String TEMPLATE = create("").name;

        static {
            Database.open(config(TEMPLATE)).close();
            if (System.getenv(URL_VARIABLE) != null) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> new TestDatabase(TEMPLATE).close()));
            }
        }
    }
}
