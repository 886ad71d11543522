package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("nightly")
class EmbeddedDatabaseTest {
    @Test
    void keepsItsDataAndWritesThemToDisk(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            execute(database, "create table kept (id int)");
            assertThat(show(database, "fsync")).isEqualTo("on");
            assertThat(show(database, "synchronous_commit")).isEqualTo("on");
            assertThat(EmbeddedDatabase.urlOfRunning(data)).contains(database.url());
        }
        assertThat(EmbeddedDatabase.urlOfRunning(data)).isEmpty();

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            execute(database, "insert into kept values (1)");
        }
    }

    @Test
    void startsOnACopyOfATemplate(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        DatabaseTemplate.make(folder.resolve("template"), binaries);
        DatabaseTemplate template =
                DatabaseTemplate.in(folder.resolve("template")).orElseThrow();
        // Left behind by a process that was killed while it copied.
        Files.createDirectories(folder.resolve("data.unfinished").resolve("base"));

        template.copyTo(data);

        assertThat(folder.resolve("data.unfinished")).doesNotExist();
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            execute(database, "create table kept (id int)");
        }
        template.copyTo(data);
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            execute(database, "insert into kept values (1)");
        }
    }

    @Test
    void leavesAnEmptyFolderOfTheUsersToPostgres(@TempDir Path folder) throws IOException {
        DatabaseTemplate template = DatabaseTemplate.in(Files.createDirectory(folder.resolve("template")))
                .orElseThrow();
        Path mounted = Files.createDirectory(folder.resolve("data"));

        template.copyTo(mounted);

        assertThat(mounted).isEmptyDirectory();
        assertThat(DatabaseTemplate.in(folder.resolve("none"))).isEmpty();
    }

    @Test
    void endsWithAProcessThatIsKilled(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        abandon(data, folder.resolve("postgres"));

        Optional<ProcessHandle> left = StalePostmaster.find(data);
        if (left.isPresent()) {
            left.get().onExit().get(60, TimeUnit.SECONDS);
        }

        assertThat(data.resolve("postmaster.pid"))
                .as("Postgres deletes it when it stops in good order")
                .doesNotExist();
    }

    @Test
    void takesOverAPostgresThatAKilledProcessLeftBehind(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        abandon(data, binaries, AbandoningProcess.WITHOUT_GUARD);
        assertThat(StalePostmaster.find(data)).isPresent();

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            execute(database, "create table works (id int)");
        }
    }

    @Test
    void refusesWhoeverDoesNotKnowItsPassword(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        String first;
        try (EmbeddedDatabase database =
                EmbeddedDatabase.persistent(DataFolderLock.acquire(data), folder.resolve("postgres"))) {
            assertAsksForAPassword(database);
            first = database.url().replaceFirst("localhost:\\d+", "");
            assertThat(Files.readString(database.passwordFile()).strip())
                    .isEqualTo(URI.create(database.url()).getUserInfo().substring("postgres:".length()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(database.passwordFile())))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("postgres"))))
                    .isEqualTo("rwx------");
            assertThat(programsThatMayBeWritten(folder.resolve("postgres"))).isEmpty();
        }
        try (EmbeddedDatabase database = EmbeddedDatabase.ephemeral(folder.resolve("postgres"))) {
            assertAsksForAPassword(database);
            assertThat(database.url().replaceFirst("localhost:\\d+", "")).isNotEqualTo(first);
        }
    }

    /** The data folder of an earlier version, which asked for no password. */
    @Test
    void givesAPasswordToDataThatHaveNone(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        try (EmbeddedPostgres open = EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(binaries.toFile())
                        .setDataDirectory(data)
                        .setCleanDataDirectory(false)
                        .start();
                Connection connection = open.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table kept (id int)");
        }

        for (int start = 0; start < 2; start++) {
            try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
                assertAsksForAPassword(database);
                execute(database, "insert into kept values (1)");
            }
        }
    }

    @Test
    void givesEachCopyOfATemplateAPasswordOfItsOwn(@TempDir Path folder) throws Exception {
        Path binaries = folder.resolve("postgres");
        Path template = folder.resolve("template");
        DatabaseTemplate.make(template, binaries);
        String ofTemplate = Files.readString(DatabasePassword.file(template)).strip();
        Path data = folder.resolve("data");
        DatabaseTemplate.in(template).orElseThrow().copyTo(data);

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            assertAsksForAPassword(database);
            assertThatThrownBy(() -> connect(URI.create(database.url()), ofTemplate))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
        assertThat(Files.readAllLines(DatabasePassword.file(data))).hasSize(1).doesNotContain(ofTemplate);
    }

    /** A process was killed after it had replaced the password and before it could record that. */
    @Test
    void knowsAPasswordWhoseReplacementWasNotNoted(@TempDir Path folder) throws Exception {
        Path binaries = folder.resolve("postgres");
        Path data = folder.resolve("data");
        EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries).close();
        Files.writeString(DatabasePassword.file(data), "the-former-one\n", StandardOpenOption.APPEND);

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(DataFolderLock.acquire(data), binaries)) {
            assertAsksForAPassword(database);
        }
        assertThat(Files.readAllLines(DatabasePassword.file(data))).hasSize(1);
    }

    private static void assertAsksForAPassword(EmbeddedDatabase database) throws SQLException {
        URI url = URI.create(database.url());
        for (String wrong : List.of("", "postgres", "wrong")) {
            assertThatThrownBy(() -> connect(url, wrong))
                    .as("password '%s'", wrong)
                    .isInstanceOf(SQLException.class);
        }
        assertThat(Path.of("/tmp/.s.PGSQL." + url.getPort())).doesNotExist();
        assertThat(show(database, "password_encryption")).isEqualTo("scram-sha-256");
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet methods = statement.executeQuery("select distinct auth_method from pg_hba_file_rules")) {
            methods.next();
            assertThat(methods.getString(1)).isEqualTo("scram-sha-256");
            assertThat(methods.next()).as("there is another way in").isFalse();
        }
    }

    @Test
    void saysWhoUsesTheFolder(@TempDir Path folder) {
        Path data = folder.resolve("data");
        DataFolderLock lock = DataFolderLock.acquire(data);

        assertThatThrownBy(() -> DataFolderLock.acquire(data))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("process " + ProcessHandle.current().pid())
                .hasMessageContaining("--ephemeral");
        lock.close();
        DataFolderLock.acquire(data).close();
    }

    private static void abandon(Path data, Path binaries, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AbandoningProcess.class.getName(),
                data.toString(),
                binaries.toString()));
        command.addAll(List.of(options));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isEqualTo(AbandoningProcess.EXIT_CODE);
    }

    private static void execute(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String show(EmbeddedDatabase database, String setting) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("show " + setting)) {
            result.next();
            return result.getString(1);
        }
    }

    private static Connection connect(EmbeddedDatabase database) throws SQLException {
        URI url = URI.create(database.url());
        return connect(url, url.getUserInfo().substring("postgres:".length()));
    }

    private static Connection connect(URI url, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + url.getPort() + url.getPath(), "postgres", password);
    }

    private static List<Path> programsThatMayBeWritten(Path binaries) throws IOException {
        List<Path> writable = new ArrayList<>();
        try (Stream<Path> files = Files.walk(binaries)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/PG-"))
                    .toList()) {
                if (PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                        .contains("w")) {
                    writable.add(file);
                }
            }
        }
        return writable;
    }
}
