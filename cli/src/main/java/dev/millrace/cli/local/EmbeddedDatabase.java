package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Embedded Postgres, unpacked from a jar. It keeps its data in a folder, or in a temporary one that it deletes at its
 * end. It listens on the loopback interface, which every process of this machine can reach, even a confined script. So
 * it asks everyone for a password, which {@link DatabasePassword} keeps.
 */
final class EmbeddedDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final String MAX_CONNECTIONS = "100";
    private static final String ACCESS_FILE = "pg_hba.conf";
    private static final String ACCESS_METHOD = "scram-sha-256";

    private static final String LIBRARY_LOCK = "epg-lock";

    private static final String ACCESS = """
            # Written at each start. Everyone needs the password, which is in the file beside this folder.
            host all all 127.0.0.1/32 %1$s
            host all all ::1/128 %1$s
            """.formatted(ACCESS_METHOD);

    private final EmbeddedPostgres postgres;
    private final Path data;
    private final String password;
    private final PostgresGuard guard;
    /** Actions for when Postgres has stopped. */
    private final List<Closeable> rest;

    private EmbeddedDatabase(
            EmbeddedPostgres postgres, Path data, String password, PostgresGuard guard, List<Closeable> rest) {
        this.postgres = postgres;
        this.data = data;
        this.password = password;
        this.guard = guard;
        this.rest = List.copyOf(rest);
    }

    /**
     * Starts with durable data: what is committed is on disk, even if the machine crashes.
     *
     * @param lock lock of the data folder; released at the end
     * @param binaries where Postgres is unpacked, once
     */
    static EmbeddedDatabase persistent(DataFolderLock lock, Path binaries) {
        Path data = lock.data();
        try {
            StalePostmaster.stop(data);
            DatabaseTemplate.find().ifPresent(template -> template.copyTo(data));
            Starter starter = password -> start(
                    builder(data, binaries)
                            .setCleanDataDirectory(false)
                            // The library starts Postgres with both off; the later setting wins.
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on"),
                    binaries,
                    password);
            return start(data, starter, Optional.empty(), List.of(lock::close));
        } catch (RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    /** Starts with an empty database, which is deleted at the end. */
    static EmbeddedDatabase ephemeral(Path binaries) {
        Path folder = temporaryFolder();
        Path data = folder.resolve("data");
        EmbeddedPostgres.Builder builder = builder(data, binaries)
                .setCleanDataDirectory(true)
                // Schedulers warn of a Postgres that does not wait for the disk; here that is intended.
                .setServerConfig("millrace.throw_away", "on");
        Starter starter = password -> start(builder, binaries, password);
        return start(data, starter, Optional.of(folder), List.of(() -> {
            Files.deleteIfExists(DatabasePassword.file(data));
            Files.deleteIfExists(folder);
        }));
    }

    /** Contains the password: do not show it to people. */
    String url() {
        return url(password, postgres.getPort());
    }

    /** The same of the Postgres that runs in a folder, if one does and its password is known. */
    static Optional<String> urlOfRunning(Path data) {
        try {
            Optional<Integer> port = StalePostmaster.port(data);
            return port.isPresent()
                    ? DatabasePassword.find(data).map(password -> url(password.current(), port.get()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The password of the database in " + data + " cannot be read: " + e
                            + ". Name a database with --database postgres://USER:PASSWORD@HOST/DATABASE.",
                    e);
        }
    }

    private static String url(String password, int port) {
        return "postgres://" + USER + ":" + password + "@localhost:" + port + "/postgres";
    }

    /** The file whose first line is the password. */
    Path passwordFile() {
        return DatabasePassword.file(data);
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        guard.close();
        for (Closeable each : rest) {
            each.close();
        }
    }

    private static EmbeddedPostgres.Builder builder(Path data, Path binaries) {
        PrivateFolder.make(binaries);
        // The library deletes what killed processes left in this folder. Its default is a folder that everyone may
        // write to.
        System.setProperty("ot.epg.working-dir", binaries.resolve("working").toString());
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(binaries.toFile())
                .setDataDirectory(data)
                .setServerConfig("max_connections", MAX_CONNECTIONS)
                .setServerConfig("listen_addresses", "localhost")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("password_encryption", ACCESS_METHOD)
                // The library passes these settings to initdb as options; it has no other way to set them.
                .setLocaleConfig("auth", ACCESS_METHOD)
                .setLocaleConfig("pwfile", DatabasePassword.file(data).toString())
                .setRegisterShutdownHook(false);
    }

    /** @param thrownAway folder to delete once Postgres has ended */
    private static EmbeddedDatabase start(Path data, Starter starter, Optional<Path> thrownAway, List<Closeable> rest) {
        try {
            DatabasePassword password = DatabasePassword.of(data);
            EmbeddedPostgres postgres = start(data, starter, password);
            PostgresGuard guard = PostgresGuard.start(StalePostmaster.find(data), thrownAway);
            return new EmbeddedDatabase(postgres, data, password.current(), guard, rest);
        } catch (IOException | SQLException | IllegalStateException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The embedded Postgres did not start: " + e.getMessage()
                            + ". Use a Postgres of your own with --database postgres://USER:PASSWORD@HOST/DATABASE.",
                    e);
        }
    }

    private static EmbeddedPostgres start(Path data, Starter starter, DatabasePassword password)
            throws IOException, SQLException {
        if (password.former().isPresent()) {
            return replacePassword(data, starter, password);
        }
        requirePassword(data);
        return starter.start(password.current());
    }

    private static EmbeddedPostgres start(EmbeddedPostgres.Builder builder, Path binaries, String password)
            throws IOException {
        try {
            return builder.setConnectConfig("password", password).start();
        } finally {
            // The library unpacks into a folder that everyone may write to.
            PrivateFolder.make(binaries);
            UnpackedPrograms.protect(binaries);
        }
    }

    /** Starts with the former password, and then replaces it by the current one. */
    private static EmbeddedPostgres replacePassword(Path data, Starter starter, DatabasePassword password)
            throws IOException, SQLException {
        if (!password.isFormerlyOpen()) {
            requirePassword(data);
        }
        EmbeddedPostgres postgres = startWithEither(data, starter, password);
        try {
            String valid = password.former().orElseThrow();
            try (Connection connection = connect(postgres, valid, password.current());
                    Statement statement = connection.createStatement()) {
                statement.execute("alter role " + USER + " password '" + password.current() + "'");
                password.replaced(data);
                requirePassword(data);
                statement.execute("select pg_reload_conf()");
                // Ends sessions that began while no password was required.
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where backend_type = 'client backend' and pid <> pg_backend_pid()");
            }
            return postgres;
        } catch (IOException | SQLException | RuntimeException failure) {
            postgres.close();
            throw failure;
        }
    }

    /**
     * Tries the former password, then the current one: a process killed between replacing the password and recording
     * that has left the current one.
     */
    private static EmbeddedPostgres startWithEither(Path data, Starter starter, DatabasePassword password)
            throws IOException {
        try {
            return starter.start(password.former().orElseThrow());
        } catch (IOException refused) {
            StalePostmaster.stop(data);
            // The library keeps its lock after a failed start; a new file gets a new lock.
            Files.deleteIfExists(data.resolve(LIBRARY_LOCK));
            return starter.start(password.current());
        }
    }

    private static Connection connect(EmbeddedPostgres postgres, String... passwords) throws SQLException {
        SQLException refused = new SQLException("no password was given");
        for (String password : passwords) {
            try {
                return postgres.getDatabase(USER, "postgres", Map.of("password", password))
                        .getConnection();
            } catch (SQLException e) {
                refused = e;
            }
        }
        throw refused;
    }

    /**
     * Makes Postgres ask everyone for a password. Does nothing if there is no database yet: a new one asks from the
     * start.
     */
    private static void requirePassword(Path data) throws IOException {
        Path file = data.resolve(ACCESS_FILE);
        if (Files.exists(file) && !Files.readString(file).equals(ACCESS)) {
            Path unfinished = PrivateFolder.newFileFor(file);
            Files.writeString(unfinished, ACCESS);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("millrace-postgres-");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED, "No folder for temporary data can be created: " + e + ".", e);
        }
    }

    /** Starts Postgres; the library considers it started once this password is accepted. */
    private interface Starter {
        EmbeddedPostgres start(String password) throws IOException;
    }
}
