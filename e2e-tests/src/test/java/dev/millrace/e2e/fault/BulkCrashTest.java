package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the scheduler with SIGKILL during an operation on many runs: the next one continues it, and it applies to each
 * run once.
 */
@Tag("nightly")
final class BulkCrashTest {
    private static final int RUNS = 2_000;

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("bulk-crash", ClusterPlan.small());
        installation.api().deployFlow("""
                millrace: v1
                name: crash/bulk
                steps:
                  - {id: hold, wait: {signal: go}}
                """, Map.of());
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void goesOnWhereTheSchedulerWasKilled() throws SQLException {
        Api api = installation.api();
        var run = Map.of("target", Map.of("flow", "crash/bulk"));
        api.post("/api/v1/runs:batch", Map.of("items", Collections.nCopies(RUNS, run)))
                .ok();
        String bulk = api.post(
                        "/api/v1/bulk-operations",
                        Map.of("operation", "pause", "filter", Map.of("flow", "crash/bulk"), "actor", "ann"))
                .ok()
                .path("id")
                .asText();

        installation.cluster().scheduler(0).kill();
        installation.cluster().scheduler(0).start();
        api.awaitReady();

        var last = new AtomicReference<>(Json.of("no answer yet"));
        Await.until(
                "the operation has ended",
                Api.PATIENCE,
                () -> {
                    last.set(api.get("/api/v1/bulk-operations/" + bulk).ok());
                    return last.get().has("end_time");
                },
                () -> String.valueOf(last.get()));
        assertThat(last.get().path("state").asText()).isEqualTo("ended");
        assertThat(last.get().path("done").asInt()).as("done of %s", last).isEqualTo(RUNS);
        assertEachWasPausedOnce(bulk);
    }

    private static void assertEachWasPausedOnce(String bulk) throws SQLException {
        try (var connection = installation.postgres().connect();
                var query = connection.prepareStatement(
                        "select (select count(*) from run_operation where request_id = ? and actor = 'ann'), "
                                + "(select count(*) from job_queue where step_key = '' and held)")) {
            query.setString(1, "bulk:" + bulk);
            try (var rows = query.executeQuery()) {
                rows.next();
                assertThat(rows.getInt(1)).as("operations on record").isEqualTo(RUNS);
                assertThat(rows.getInt(2)).as("paused runs").isEqualTo(RUNS);
            }
        }
    }
}
