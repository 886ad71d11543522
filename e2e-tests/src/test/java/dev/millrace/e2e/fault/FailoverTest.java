package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ReplicatedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The primary dies under load and its synchronous standby takes over: every acknowledged run ends, once. */
@Tag("nightly")
final class FailoverTest {
    private static final int CLIENTS = 3;
    private static final int RUNS_BEFORE = 30;
    private static final int RUNS_AFTER = 30;

    @Test
    void losesNothingWhenAStandbyTakesOver() throws InterruptedException, ExecutionException {
        try (var servers = ReplicatedServer.start();
                var installation = Installation.start("failover", servers.databaseOfLibpq(), ClusterPlan.small());
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            Api api = installation.api();
            api.deployScript("failover/echo.py", "def main(n: int):\n    return n\n");
            Map<Integer, String> acknowledged = new ConcurrentHashMap<>();
            AtomicBoolean isOver = new AtomicBoolean();
            List<Future<?>> submitting = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                submitting.add(clients.submit(() -> submitUntil(isOver, first, api, acknowledged)));
            }
            awaitRuns(acknowledged, RUNS_BEFORE);

            servers.primary().kill();
            int atFailover = acknowledged.size();
            servers.promote();
            awaitRuns(acknowledged, atFailover + RUNS_AFTER);
            isOver.set(true);
            for (Future<?> each : submitting) {
                each.get();
            }

            assertThat(acknowledged.values()).doesNotHaveDuplicates();
            acknowledged.forEach(
                    (number, run) -> assertThat(api.awaitEnd(run).path("output").asInt())
                            .as("output of %s", run)
                            .isEqualTo(number));
        }
    }

    /** Submits runs with numbers of its own, each until it is acknowledged. */
    private static void submitUntil(AtomicBoolean isOver, int first, Api api, Map<Integer, String> acknowledged) {
        for (int number = first; !isOver.get(); number += CLIENTS) {
            Map<String, Object> run =
                    Map.of("target", Map.of("script", "failover/echo.py"), "input", Map.of("n", number));
            Answer answer = api.post("/api/v1/runs", run, "Idempotency-Key", "run-" + number);
            while (answer.status() >= 500) {
                answer = api.post("/api/v1/runs", run, "Idempotency-Key", "run-" + number);
            }
            acknowledged.put(number, answer.body().path("id").asText());
        }
    }

    private static void awaitRuns(Map<Integer, String> acknowledged, int count) {
        Await.until(
                count + " runs are acknowledged",
                Api.PATIENCE,
                () -> acknowledged.size() >= count,
                () -> acknowledged.size() + " are");
    }
}
