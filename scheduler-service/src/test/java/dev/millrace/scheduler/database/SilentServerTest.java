package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.scheduler.testing.MigratedDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a connection to a server that no longer answers is closed, and that one with a slow statement is not. */
@Tag("nightly")
@Timeout(120)
class SilentServerTest {
    /** Longer than the silence after which the server is asked. */
    private static final int LONG_SECONDS = 7;

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Database database = postgres.database();

    @Test
    void givesUpADeadConnectionAndNoLongStatement() throws Exception {
        assumeTrue(System.getenv("MILLRACE_TEST_DATABASE_URL") == null, "the server runs on this machine");
        CompletableFuture<Integer> longOne = CompletableFuture.supplyAsync(
                () -> database.run(context -> context.fetch("select pg_sleep(" + LONG_SECONDS + "), 5")
                        .getFirst()
                        .get(1, Integer.class)));
        failsWhileFrozen("select 1");
        assertThat(longOne.get()).isEqualTo(5);
    }

    /** The text exceeds the system's buffers, so the write waits for the server, and no read timeout ends it. */
    @Test
    void givesUpADeadConnectionInTheMidstOfALongWrite() throws Exception {
        assumeTrue(System.getenv("MILLRACE_TEST_DATABASE_URL") == null, "the server runs on this machine");
        failsWhileFrozen("select length('" + "x".repeat(32 << 20) + "')");
    }

    private void failsWhileFrozen(String query) throws Exception {
        try (Connection connection = database.openForLane("frozen");
                Statement statement = connection.createStatement()) {
            int backend = backendOf(statement);
            signal("STOP", backend);
            try {
                // The frozen server does not answer before the statement fails; without a watch it would never fail.
                assertThatThrownBy(() -> statement.execute(query)).isInstanceOf(SQLException.class);
            } finally {
                signal("CONT", backend);
            }
        }
    }

    private static int backendOf(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void signal(String name, int process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Integer.toString(process)).start();
        assertThat(kill.waitFor()).isZero();
    }
}
