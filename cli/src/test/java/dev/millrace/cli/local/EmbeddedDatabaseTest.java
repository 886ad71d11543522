package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {
    @Test
    void keepsItsDataAndWritesThemToDisk(@TempDir Path folder) throws IOException, SQLException {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(data, binaries)) {
            execute(database, "create table kept (id int)");
            assertThat(show(database, "fsync")).isEqualTo("on");
            assertThat(show(database, "synchronous_commit")).isEqualTo("on");
        }

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(data, binaries)) {
            execute(database, "insert into kept values (1)");
        }
    }

    @Test
    void startsOnACopyOfATemplate(@TempDir Path folder) throws IOException, SQLException {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        DatabaseTemplate.make(folder.resolve("template"), binaries);
        DatabaseTemplate template =
                DatabaseTemplate.in(folder.resolve("template")).orElseThrow();
        // What a process that was killed while it copied leaves behind.
        Files.createDirectories(folder.resolve("data.unfinished").resolve("base"));

        template.copyTo(data);

        assertThat(folder.resolve("data.unfinished")).doesNotExist();
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(data, binaries)) {
            execute(database, "create table kept (id int)");
        }
        template.copyTo(data);
        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(data, binaries)) {
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
    void takesOverAPostgresThatAKilledProcessLeftBehind(@TempDir Path folder)
            throws IOException, SQLException, InterruptedException {
        Path data = folder.resolve("data");
        Path binaries = folder.resolve("postgres");
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AbandoningProcess.class.getName(),
                        data.toString(),
                        binaries.toString())
                .inheritIO()
                .start();
        assertThat(killed.waitFor()).isEqualTo(AbandoningProcess.EXIT_CODE);

        try (EmbeddedDatabase database = EmbeddedDatabase.persistent(data, binaries)) {
            execute(database, "create table works (id int)");
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
        return DriverManager.getConnection(
                database.url().replaceFirst("postgres://postgres@", "jdbc:postgresql://") + "?user=postgres");
    }
}
