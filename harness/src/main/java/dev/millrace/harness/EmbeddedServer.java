package dev.millrace.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Postgres server from the embedded binaries, as durable as in production, that a test can crash and restart on the
 * same data and port. Not thread-safe.
 */
public final class EmbeddedServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String CONNECTIONS_MAX = "200";

    private final Path data;
    private final int port;
    private @Nullable EmbeddedPostgres server;

    private EmbeddedServer(Path data, int port) {
        this.data = data;
        this.port = port;
    }

    /** Starts a separate server, for a test that will damage it. */
    public static EmbeddedServer start() {
        var server = new EmbeddedServer(createDataFolder(), FreePort.next());
        server.restart();
        return server;
    }

    /**
     * Starts a standby of a server, which must be stopped, because its data are copied as they are. The standby waits for
     * the server and follows it until it is promoted.
     *
     * @param name name of the standby for {@code synchronous_standby_names}
     */
    static EmbeddedServer startStandby(EmbeddedServer primary, String name) {
        Path copy = createDataFolder();
        try {
            copy(primary.data, copy);
            Files.createFile(copy.resolve("standby.signal"));
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost port=" + primary.port + " user=postgres application_name="
                            + name + "'\n");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy the data of the primary.", e);
        }
        var standby = new EmbeddedServer(copy, FreePort.next());
        standby.restart();
        return standby;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(each -> !each.equals(from)).toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    int port() {
        return port;
    }

    /** The server that all suites of this JVM share. It ends with the JVM. */
    static EmbeddedServer shared() {
        return Shared.SERVER;
    }

    public Postgres createDatabase() {
        return ServerDatabase.create(adminUrl());
    }

    /** Ends the server's main process with SIGKILL; its children notice and end, as after a crash of the whole server. */
    public void kill() {
        long pid = mainPid();
        List<ProcessHandle> children = children(pid);
        Signals.send("KILL", pid);
        Await.until(
                "all processes of the killed Postgres are gone",
                START_LIMIT,
                () -> children.stream().noneMatch(ProcessHandle::isAlive));
        // Nothing is left to stop, but the library still holds its lock on the data.
        release();
    }

    /** Stops all processes of the server with SIGSTOP: no query is answered, and no connection ends. */
    public void freeze() {
        long pid = mainPid();
        // First the process that would start others.
        Signals.send("STOP", pid);
        children(pid).forEach(child -> Signals.send("STOP", child.pid()));
    }

    /** Resumes a frozen server. */
    public void thaw() {
        long pid = mainPid();
        children(pid).forEach(child -> Signals.send("CONT", child.pid()));
        Signals.send("CONT", pid);
    }

    private static List<ProcessHandle> children(long pid) {
        return ProcessHandle.of(pid)
                .map(ProcessHandle::descendants)
                .orElseThrow()
                .toList();
    }

    /** Starts the server on its existing data. */
    public void restart() {
        try {
            server = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    // The library switches both settings off for speed.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", CONNECTIONS_MAX)
                    .setPGStartupWait(START_LIMIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded Postgres does not start on " + data + ".", e);
        }
    }

    public String adminUrl() {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
    }

    /** The number that a query of the administrator answers with. */
    long count(String query) {
        try (Connection connection = DriverManager.getConnection(adminUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run '" + query + "'.", e);
        }
    }

    /** Process id of the server, for measuring its use of the machine. */
    public long mainPid() {
        try {
            return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid"))
                    .getFirst()
                    .strip());
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded Postgres does not run.", e);
        }
    }

    /** Stops the server and keeps its data. */
    public void stop() {
        long pid = server == null ? 0 : mainPid();
        release();
        // The library returns at once if its own shutdown hook is already stopping the server.
        Await.until(
                "the embedded Postgres has stopped",
                START_LIMIT,
                () -> ProcessHandle.of(pid).isEmpty());
    }

    /** Stops the server and deletes its data. */
    @Override
    public void close() {
        stop();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete the data of the embedded Postgres.", e);
        }
    }

    private void release() {
        if (server == null) {
            return;
        }
        try {
            server.close();
            server = null;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot stop the embedded Postgres on " + data + ".", e);
        }
    }

    private static Path createDataFolder() {
        try {
            return Files.createTempDirectory("millrace-postgres-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Shared {
        static final EmbeddedServer SERVER = start();

        private static EmbeddedServer start() {
            EmbeddedServer server = EmbeddedServer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close-embedded-postgres"));
            return server;
        }
    }
}
