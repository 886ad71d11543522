package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that ends each of its workers fails alone: the jobs beside it and behind it succeed. */
@Tag("nightly")
final class PoisonJobTest {
    private static final int LOSSES_MAX = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Kills its worker; the first time once another job runs beside it. */
    private static final String POISON = """
            import os, signal, time
            def main(ctx, arrivals: str):
                while ctx.attempt == 1 and not os.path.exists(arrivals):
                    time.sleep(0.01)
                os.kill(worker(), signal.SIGKILL)
                time.sleep(600)
            def worker():
                pid, name = os.getpid(), ""
                while name != "java":  # A template may stand between them.
                    with open(f"/proc/{pid}/stat") as file:
                        name, _, fields = file.read().partition("(")[2].rpartition(") ")
                    pid, own = int(fields.split()[1]), pid
                return own
            """;

    @Test
    void failsAloneAndIsNamed(@TempDir Path folder) {
        try (Installation installation = Installation.start(
                "poison",
                FaultPlans.SHORT_LEASES
                        .withWorkers(0)
                        .with("millrace.worker.slots", "python=2")
                        .with("millrace.worker.prefetch", "4"))) {
            Api api = installation.api();
            api.deployScript("fault/gate.py", Gate.PYTHON);
            api.deployScript("fault/poison.py", POISON);
            var neighbor = new Gate(folder);
            String poison = submit(
                    api, "fault/poison.py", Map.of("arrivals", neighbor.input().get("arrivals")));
            String beside = submit(api, "fault/gate.py", neighbor.input());
            List<String> behind = IntStream.range(0, 6)
                    .mapToObj(n -> submit(api, "fault/gate.py", neighbor.input()))
                    .toList();
            var worker = installation.cluster().worker(0);

            for (int loss = 1; loss <= LOSSES_MAX; loss++) {
                Await.until("the worker is killed, time " + loss, PATIENCE, () -> !worker.isAlive(), worker::output);
                if (loss == 1) {
                    neighbor.open();
                }
                worker.start();
            }

            JsonNode ended = api.awaitEnd(poison);
            assertThat(ended.path("error").path("name").asText()).isEqualTo("WorkerLost");
            assertThat(ended.path("error").path("message").asText())
                    .contains("lost 3 times while it ran this job", "where it ran alone");
            assertThat(api.awaitEnd(beside).path("state").asText()).isEqualTo("succeeded");
            assertThat(behind)
                    .allSatisfy(run ->
                            assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded"));
            assertThat(behind.stream()
                            .filter(run -> api.logText(run, "system").contains("was lost during attempt"))
                            .count())
                    .as("jobs that may have begun beside it, and so count a loss")
                    .isLessThanOrEqualTo(1);
        }
    }

    private static String submit(Api api, String script, Map<String, ?> input) {
        return api.submit(Map.of("target", Map.of("script", script), "input", input));
    }
}
