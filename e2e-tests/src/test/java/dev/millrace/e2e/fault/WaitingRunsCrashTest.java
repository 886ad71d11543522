package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the scheduler with SIGKILL while runs wait: each wait ends once, whether its event comes before, during or
 * after the outage.
 */
@Tag("nightly")
final class WaitingRunsCrashTest {
    private static final int RUNS = 12;

    /** An expression whose evaluation takes about 100 ms. */
    private static final String SLOW =
            "(() => { let s = 0; for (let i = 0; i < 300000; i++) { s += i % 7; } return s; })()";

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("waiting-crash", ClusterPlan.small());
        installation.api().deployScript("crash/unwanted.py", "def main():\n    return 1\n");
        deploy("computing", "  - {id: wait, value: '${{ " + SLOW + " }}'}");
        deploy("timer", "  - {id: wait, wait: {for: 4s}}");
        deploy("event", "  - {id: wait, wait: {signal: go, required: 2}}");
        deploy("late", "  - {id: before, wait: {for: 4s}}\n  - {id: wait, wait: {signal: go, required: 2}}");
        deploy("approval", "  - {id: wait, wait: {approval: ship, required: 2, timeout: 1h}}");
        deploy("limit", "  - {id: wait, wait: {approval: ship, timeout: 4s, on_timeout: continue}}");
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void wakesRunsWhoseTimeComesWhileNoSchedulerIsThere() throws SQLException {
        List<String> timers = waiting("timer", "wait");
        List<String> limits = waiting("limit", "wait");

        restartScheduler();

        assertEachWokeOnce(timers, output -> assertThat(output.isNull()).isTrue());
        assertEachWokeOnce(
                limits,
                output -> assertThat(output.path("timed_out").asBoolean()).isTrue());
    }

    @Test
    void cancelsRunsWhoseTimeToStartEndsWhileNoSchedulerIsThere() throws SQLException {
        Api api = installation.api();
        List<String> runs = IntStream.range(0, RUNS)
                .mapToObj(_ -> api.submit(
                        Map.of("target", Map.of("script", "crash/unwanted.py"), "tag", "nobody", "start_within", "4s")))
                .toList();

        restartScheduler();

        for (String run : runs) {
            JsonNode ended = api.awaitEnd(run);
            assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo("canceled");
            assertThat(ended.path("error").path("name").asText()).isEqualTo("NotStarted");
            assertThat(ended.path("start_within").asText()).isEqualTo("4s");
            assertRecordedOnce(UUID.fromString(run));
        }
    }

    @Test
    void beginsRunsThatWereAcceptedButNotDecidedOn() throws SQLException {
        Api api = installation.api();
        List<String> runs = IntStream.range(0, RUNS)
                .mapToObj(_ -> api.submit(Map.of("target", Map.of("flow", "crash/computing"))))
                .toList();

        restartScheduler();

        assertEachWokeOnce(runs, output -> assertThat(output.asInt()).isEqualTo(899997));
    }

    @Test
    void countsEachSignalOnceWhetherItCameBeforeOrAfterTheCrash() throws SQLException {
        List<String> runs = waiting("event", "wait");
        runs.forEach(run -> signal(run, "before"));

        restartScheduler();
        // A caller without an answer sends again: the key makes it one signal.
        runs.forEach(run -> signal(run, "before"));
        runs.forEach(run -> signal(run, "after"));

        assertEachWokeOnce(runs, output -> assertPayloads(output, "before", "after"));
    }

    @Test
    void keepsSignalsThatWereSentBeforeTheRunWaitedForThem() throws SQLException {
        List<String> runs = waiting("late", "before");
        runs.forEach(run -> signal(run, "first"));
        runs.forEach(run -> signal(run, "second"));

        restartScheduler();

        assertEachWokeOnce(runs, output -> assertPayloads(output, "first", "second"));
    }

    @Test
    void remembersWhoHasApproved() throws SQLException {
        List<String> runs = waiting("approval", "wait");
        runs.forEach(run -> approve(run, "ann"));

        restartScheduler();
        runs.forEach(run -> approve(run, "ann"));
        runs.forEach(run ->
                assertThat(waits(run).getFirst().path("received").asInt()).isEqualTo(1));
        runs.forEach(run -> approve(run, "bob"));

        assertEachWokeOnce(
                runs, output -> assertThat(output.path("approvers").toString()).isEqualTo("[\"ann\",\"bob\"]"));
    }

    /** Starts runs and waits until each of them waits in this step. */
    private static List<String> waiting(String flow, String step) {
        Api api = installation.api();
        List<String> runs = IntStream.range(0, RUNS)
                .mapToObj(_ -> api.submit(Map.of("target", Map.of("flow", "crash/" + flow))))
                .toList();
        for (String run : runs) {
            Await.until(
                    "run " + run + " waits in " + step,
                    Api.PATIENCE,
                    () -> api.steps(run).stream()
                            .anyMatch(row -> row.path("key").asText().equals(step)));
        }
        return runs;
    }

    private static void restartScheduler() {
        installation.cluster().scheduler(0).kill();
        installation.cluster().scheduler(0).start();
        installation.api().awaitReady();
    }

    private static void signal(String run, String payload) {
        installation
                .api()
                .post(
                        "/api/v1/runs/" + run + ":signal",
                        Map.of("name", "go", "payload", payload),
                        "idempotency-key",
                        payload + " for " + run)
                .ok();
    }

    private static void approve(String run, String actor) {
        installation
                .api()
                .post("/api/v1/runs/" + run + ":approve", Map.of("step", "wait", "actor", actor))
                .ok();
    }

    private static List<JsonNode> waits(String run) {
        var waits = new ArrayList<JsonNode>();
        installation
                .api()
                .get("/api/v1/runs/" + run + "/waits")
                .ok()
                .path("items")
                .forEach(waits::add);
        return waits;
    }

    private static void assertPayloads(JsonNode output, String... expected) {
        var payloads = new ArrayList<String>();
        output.path("payloads").forEach(payload -> payloads.add(payload.asText()));
        assertThat(payloads).containsExactly(expected);
    }

    /** Checks that each run has succeeded, with one record of every step and nothing left in the queue. */
    private static void assertEachWokeOnce(List<String> runs, Consumer<JsonNode> output) throws SQLException {
        for (String run : runs) {
            JsonNode ended = installation.api().awaitEnd(run);
            assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo("succeeded");
            output.accept(ended.path("output"));
            assertThat(installation.api().steps(run))
                    .allSatisfy(step -> assertThat(step.path("attempt").asInt())
                            .as("attempts of %s", step)
                            .isLessThanOrEqualTo(1));
            assertRecordedOnce(UUID.fromString(run));
        }
    }

    private static void assertRecordedOnce(UUID run) throws SQLException {
        try (var connection = installation.postgres().connect();
                var twice = connection.prepareStatement(
                        "select step_key from job_history where run_id = ? group by step_key having count(*) > 1"
                                + " union all select step_key from job_queue where run_id = ?")) {
            twice.setObject(1, run);
            twice.setObject(2, run);
            try (var rows = twice.executeQuery()) {
                assertThat(rows.next())
                        .as("a step twice on record, or left in the queue")
                        .isFalse();
            }
        }
    }

    /** Deploys a flow that ends with a task on a worker, which shows that the run continued exactly once. */
    private static void deploy(String name, String steps) {
        String flow = """
                millrace: v1
                name: crash/%s
                steps:
                %s
                  - {id: after, script: after.py}
                output: ${{ steps.wait.result }}
                """.formatted(name, steps);
        installation.api().deployFlow(flow, Map.of("after.py", "def main():\n    return \"went on\"\n"));
    }
}
