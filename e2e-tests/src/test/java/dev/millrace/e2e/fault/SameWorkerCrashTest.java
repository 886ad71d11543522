package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills what a group of steps with a shared folder depends on, between two of its steps. */
@Tag("nightly")
final class SameWorkerCrashTest {
    /** Largest number of runs until one is on the worker to be killed. */
    private static final int RUNS_MAX = 50;

    private static final String STEPS = """
                - {id: first, script: first.py}
                - {id: pause, wait: {signal: go}}
                - {id: second, script: second.py}
            """;
    private static final Map<String, String> SCRIPTS = Map.of(
            "first.py", """
                    import os


                    def main():
                        with open("./shared/pid", "w") as file:
                            file.write(str(os.getppid()))
                        return os.getppid()
                    """,
            "second.py", """
                    import os


                    def main():
                        with open("./shared/pid") as file:
                            return [int(file.read()), os.getppid()]
                    """);

    private static Installation installation;

    @BeforeAll
    static void start() {
        // Short enough to lose a killed worker soon, long enough for a scheduler to return before that.
        installation = Installation.start(
                "same-worker",
                ClusterPlan.small()
                        .with("millrace.worker.session-ttl", "15s")
                        .with("millrace.worker.heartbeat-interval", "1s")
                        .withWorkers(0, 0));
        deploy("plain", "same_worker: true\nsteps:\n" + STEPS.replace("    - ", "- "));
        deploy(
                "retried",
                "steps:\n  - id: box\n    same_worker: true\n    retry: {max_retries: 1}\n    steps:\n"
                        + STEPS.indent(2));
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    private static void deploy(String name, String rest) {
        installation.api().deployFlow("millrace: v1\nname: " + name + "\n" + rest, SCRIPTS);
    }

    @Test
    void keepsToTheWorkerWhenTheSchedulerIsKilled() {
        String run = waiting("plain", "pause", 1);

        installation.cluster().scheduler(0).kill();
        installation.cluster().scheduler(0).start();
        installation.api().awaitReady();
        installation.api().awaitWorkers("worker-0", "worker-1");
        signal(run);

        JsonNode ended = installation.api().awaitEnd(run);
        assertThat(ended.path("state").asText()).as("%s", ended).isEqualTo("succeeded");
        assertThat(ended.path("output").get(0)).isEqualTo(ended.path("output").get(1));
    }

    @Test
    void losesTheFolderWithItsWorkerAndBeginsAgainWhereThatIsAskedFor() {
        String retried = waiting("retried", "box.pause", 1);
        int holder = workerOf(retried, "box.first");
        String plain = waitingOn(holder);

        installation.cluster().worker(holder).kill();
        signal(plain);
        signal(retried);

        JsonNode lost = installation.api().awaitEnd(plain);
        assertThat(lost.path("error").path("name").asText()).as("%s", lost).isEqualTo("SharedFolderLost");
        assertThat(lost.path("error").path("message").asText()).contains("\"worker-" + holder + "\"");
        awaitRows(retried, "box.first", 2);
        awaitRows(retried, "box.pause", 2);
        signal(retried);
        JsonNode ended = installation.api().awaitEnd(retried);
        assertThat(ended.path("state").asText()).as("%s", ended).isEqualTo("succeeded");
        assertThat(ended.path("output").get(0)).isEqualTo(ended.path("output").get(1));
        installation.cluster().worker(holder).start();
        installation.api().awaitWorkers("worker-0", "worker-1");
    }

    private static String waiting(String flow, String step, int rows) {
        String run = installation.api().submit(Map.of("target", Map.of("flow", flow)));
        awaitRows(run, step, rows);
        return run;
    }

    /** Starts runs until one waits with its folder on this worker, and releases those on the other worker. */
    private static String waitingOn(int worker) {
        for (int i = 0; i < RUNS_MAX; i++) {
            String run = waiting("plain", "pause", 1);
            if (workerOf(run, "first") == worker) {
                return run;
            }
            signal(run);
        }
        throw new AssertionError(RUNS_MAX + " runs have all gone to the other worker than worker-" + worker + ".");
    }

    private static void awaitRows(String run, String step, int count) {
        Await.until(
                "run " + run + " has " + count + " rows of " + step,
                Api.PATIENCE,
                () -> rows(run, step).size() >= count,
                () -> installation.api().steps(run).toString());
    }

    private static List<JsonNode> rows(String run, String step) {
        return installation.api().steps(run).stream()
                .filter(row -> row.path("key").asText().equals(step))
                .toList();
    }

    private static int workerOf(String run, String step) {
        String name = rows(run, step).getFirst().path("worker").asText();
        assertThat(name).startsWith("worker-");
        return Integer.parseInt(name.substring("worker-".length()));
    }

    private static void signal(String run) {
        installation
                .api()
                .post("/api/v1/runs/" + run + ":signal", Map.of("name", "go"))
                .ok();
    }
}
