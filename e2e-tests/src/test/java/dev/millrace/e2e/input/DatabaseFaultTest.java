package dev.millrace.e2e.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.FreePort;
import dev.millrace.harness.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that is down, or whose schema is of another version. */
@Tag("nightly")
final class DatabaseFaultTest {
    private static final ClusterPlan SCHEDULER_ONLY =
            new ClusterPlan(1, false, List.of(), Map.of(), ClusterPlan.small().jvmFlags());
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** A database at an address without a server. */
    private record MissingPostgres(int port) implements Postgres {
        @Override
        public String jdbcUrl() {
            return "jdbc:postgresql://localhost:" + port + "/millrace?user=millrace&password=very-secret";
        }

        @Override
        public void close() {}
    }

    @Test
    void saysAtStartThatTheDatabaseIsDown() {
        var missing = new MissingPostgres(FreePort.next());
        try (Cluster cluster = Cluster.start("database-down", missing, SCHEDULER_ONLY)) {
            Await.until(
                    "the scheduler names the database",
                    START_LIMIT,
                    () -> cluster.scheduler(0).output().contains("localhost:" + missing.port),
                    cluster.scheduler(0)::output);

            assertThat(cluster.scheduler(0).output()).doesNotContain("very-secret");
        }
    }

    @Test
    void refusesWorkWhileTheDatabaseIsDownAndTakesItAgainAfterwards() {
        try (var server = EmbeddedServer.start();
                var installation = Installation.start("database-lost", server.createDatabase(), ClusterPlan.small())) {
            Api api = installation.api();
            api.deployScript("db/one.py", "def main():\n    return 1\n");
            Map<String, Object> run = Map.of("target", Map.of("script", "db/one.py"));
            api.runToEnd(run);

            server.kill();
            Answer refused = api.post("/api/v1/runs", run);
            Await.until(
                    "the gateway is not ready",
                    Api.PATIENCE,
                    () -> api.get("/readyz").status() == 503);
            server.restart();

            assertThat(refused.problem(503, "database_unavailable")).containsIgnoringCase("database");
            assertThat(api.get("/livez").status()).isEqualTo(200);
            api.awaitReady();
            assertThat(api.runToEnd(run).path("output").asInt()).isEqualTo(1);
        }
    }

    @Test
    void refusesASchemaThatANewerVersionMade() throws SQLException {
        try (Postgres postgres = Postgres.start()) {
            try (var installation = Cluster.start("schema-made", postgres, SCHEDULER_ONLY)) {
                awaitSchema(postgres);
                installation.scheduler(0).terminate();
            }
            execute(postgres, """
                    insert into flyway_schema_history (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                    values (9000, '9000', 'from the future', 'SQL', 'V9000__from_the_future.sql', 1, 'test', 1, true)""");

            try (var cluster = Cluster.start("schema-newer", postgres, SCHEDULER_ONLY)) {
                int exitCode = cluster.scheduler(0).awaitEnd(START_LIMIT);

                assertThat(exitCode).isNotZero();
                assertThat(cluster.scheduler(0).output()).contains("9000").containsIgnoringCase("newer");
            }
        }
    }

    @Test
    void leavesAnOldSchemaAloneWhereItMayNotMigrate() throws SQLException {
        try (Postgres postgres = Postgres.start();
                var cluster = Cluster.start(
                        "schema-old", postgres, SCHEDULER_ONLY.with("millrace.database.migrate", "false"))) {
            int exitCode = cluster.scheduler(0).awaitEnd(START_LIMIT);

            assertThat(exitCode).isNotZero();
            assertThat(cluster.scheduler(0).output()).contains("millrace.database.migrate");
        }
    }

    private static void awaitSchema(Postgres postgres) {
        Await.until("the schema is there", START_LIMIT, () -> {
            try {
                execute(postgres, "select 1 from worker_session");
                return true;
            } catch (SQLException e) {
                return false;
            }
        });
    }

    private static void execute(Postgres postgres, String sql) throws SQLException {
        try (var connection = postgres.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
