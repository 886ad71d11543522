package dev.millrace.e2e.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.Postgres;
import dev.millrace.harness.ServiceProcess;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upgrades an installation of another version while its runs go on, in the order of the how-to guide: gateway, workers,
 * schedulers one by one. The property {@code millrace.test.previous-home} names a checkout of the other version that is
 * built; {@code .ci/nightly-upgrade} makes one.
 */
@EnabledIfSystemProperty(named = UpgradeTest.PREVIOUS_HOME, matches = ".+")
final class UpgradeTest {
    static final String PREVIOUS_HOME = "millrace.test.previous-home";

    private static final int RUNS = 10;
    private static final String LOOP = """
            millrace: v1
            name: upgrade/loop
            steps:
              - {id: list, script: list.py}
              - id: each
                for_each: ${{ steps.list.result }}
                parallelism: 4
                script: square.py
                input: {n: "${{ item }}"}
            output: ${{ steps.each.result }}
            """;
    private static final String WAIT = """
            millrace: v1
            name: upgrade/wait
            steps:
              - {id: before, script: before.py}
              - {id: wait, wait: {signal: go}}
              - {id: after, script: before.py}
            output: ${{ steps.after.result }}
            """;
    private static final Map<String, String> LOOP_FILES = Map.of(
            "list.py",
            "def main():\n    return list(range(60))\n",
            "square.py",
            "import time\ndef main(n: int):\n    time.sleep(0.05)\n    return n * n\n");
    private static final Map<String, String> WAIT_FILES =
            Map.of("before.py", "def main():\n    print('went on')\n    return 'went on'\n");

    private final Gate gate;
    private final MillraceHome previous = new MillraceHome(Path.of(System.getProperty(PREVIOUS_HOME)));

    UpgradeTest(@TempDir Path folder) {
        gate = new Gate(folder);
    }

    @Test
    void losesNothing() throws SQLException {
        ClusterPlan plan = ClusterPlan.small()
                .withSchedulers(2)
                .withWorkers(0, 1)
                .with("millrace.worker.session-ttl", "4s")
                .with("millrace.worker.heartbeat-interval", "1s")
                .withHome(previous);
        try (Postgres postgres = Postgres.start();
                Cluster cluster = Cluster.start("upgrade", postgres, plan)) {
            Api old = new Api(cluster.gatewayUrl());
            old.awaitReady();
            old.awaitWorkers("worker-0", "worker-1");
            old.deployFlow(LOOP, LOOP_FILES);
            old.deployFlow(WAIT, WAIT_FILES);
            old.deployScript("upgrade/gate.py", Gate.PYTHON);
            String ended = old.runToEnd(target("upgrade/loop")).path("id").asText();
            List<String> waiting = submit(old, "upgrade/wait");
            List<String> looping = submit(old, "upgrade/loop");
            String held = old.submit(Map.of("target", Map.of("script", "upgrade/gate.py"), "input", gate.input()));
            String delayed = old.submit(Map.of(
                    "target",
                    Map.of("flow", "upgrade/loop"),
                    "run_after",
                    Instant.now().plusSeconds(20).toString()));
            gate.awaitArrivals(1);

            upgrade(cluster.gateway());
            Api api = new Api(cluster.gatewayUrl());
            api.awaitReady();
            List<String> between = new ArrayList<>(submit(api, "upgrade/loop"));
            gate.open();
            for (int worker = 0; worker < 2; worker++) {
                upgrade(cluster.worker(worker));
                api.awaitWorkers("worker-0", "worker-1");
            }
            between.addAll(submit(api, "upgrade/loop"));
            for (int scheduler = 1; scheduler >= 0; scheduler--) {
                upgrade(cluster.scheduler(scheduler));
                api.awaitReady();
                api.awaitWorkers("worker-0", "worker-1");
                between.addAll(submit(api, "upgrade/loop"));
            }
            waiting.forEach(run -> api.post("/api/v1/runs/" + run + ":signal", Map.of("name", "go"))
                    .ok());

            for (String run : waiting) {
                assertThat(succeeded(api, postgres, run).path("output").asText())
                        .isEqualTo("went on");
            }
            succeeded(api, postgres, held);
            List<String> loops = new ArrayList<>(looping);
            loops.addAll(between);
            loops.add(delayed);
            loops.add(ended);
            for (String run : loops) {
                assertThat(succeeded(api, postgres, run).path("output")).hasSize(60);
            }
            assertThat(api.run(ended).has("started_by"))
                    .as("whether somebody started a run of the time before authentication")
                    .isFalse();
            assertThat(api.logText(waiting.getFirst(), "stdout")).contains("went on");
        }
    }

    private static void upgrade(ServiceProcess service) {
        assertThat(service.terminate()).as("exit code of %s", service.name()).isZero();
        service.upgradeTo(MillraceHome.find());
        service.start();
    }

    private static List<String> submit(Api api, String flow) {
        return IntStream.range(0, RUNS).mapToObj(_ -> api.submit(target(flow))).toList();
    }

    private static Map<String, Object> target(String flow) {
        return Map.of("target", Map.of("flow", flow));
    }

    /** Waits until the run has succeeded, and checks that each of its steps is on record once. */
    private static JsonNode succeeded(Api api, Postgres postgres, String run) throws SQLException {
        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo("succeeded");
        try (var connection = postgres.connect();
                var twice = connection.prepareStatement(
                        "select step_key from job_history where run_id = ? group by step_key having count(*) > 1"
                                + " union all select step_key from job_queue where run_id = ?")) {
            twice.setObject(1, UUID.fromString(run));
            twice.setObject(2, UUID.fromString(run));
            try (var rows = twice.executeQuery()) {
                assertThat(rows.next())
                        .as("a step of %s twice on record, or left in the queue", run)
                        .isFalse();
            }
        }
        return ended;
    }
}
