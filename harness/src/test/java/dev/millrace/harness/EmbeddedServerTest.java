package dev.millrace.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
final class EmbeddedServerTest {
    @Test
    void keepsCommittedRowsOverACrash() throws SQLException {
        try (var server = EmbeddedServer.start();
                var database = server.createDatabase()) {
            try (Connection connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("create table note as select 'kept' as text");
            }

            server.kill();
            server.restart();

            assertThat(ask(database, "select text from note")).isEqualTo("kept");
        }
    }

    @Test
    void isAsDurableAsProduction() throws SQLException {
        try (var database = EmbeddedServer.shared().createDatabase()) {
            assertThat(ask(database, "show fsync")).isEqualTo("on");
            assertThat(ask(database, "show synchronous_commit")).isEqualTo("on");
        }
    }

    private static String ask(Postgres database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                var rows = connection.createStatement().executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
