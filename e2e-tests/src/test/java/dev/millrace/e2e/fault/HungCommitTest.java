package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ReplicatedServer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A synchronous standby is gone, so Postgres answers queries but no commit ends. */
@Tag("nightly")
final class HungCommitTest {
    @Test
    void isNotReadyWhileCommitsHang() {
        try (var servers = ReplicatedServer.start();
                var installation = Installation.start("hung-commits", servers.database(), ClusterPlan.small())) {
            Api api = installation.api();
            api.deployScript("hung/one.py", "def main():\n    return 1\n");
            Map<String, Object> run = Map.of("target", Map.of("script", "hung/one.py"));
            api.runToEnd(run);

            servers.standby().stop();
            CompletableFuture<Answer> hanging =
                    CompletableFuture.supplyAsync(() -> api.post("/api/v1/runs", run, "Idempotency-Key", "hanging"));
            Await.until(
                    "the gateway is not ready",
                    Api.PATIENCE,
                    () -> api.get("/readyz").status() == 503);
            assertThat(api.get("/readyz").problem(503, "not_ready")).contains("commits hang");
            assertThat(api.post("/api/v1/runs", run).problem(503, "database_unavailable"))
                    .contains("nothing was accepted");
            Await.until(
                    "the log says why",
                    Api.PATIENCE,
                    () -> installation.cluster().scheduler(0).output().contains("Commits hang"));

            servers.standby().restart();
            api.awaitReady();
            Answer hung = hanging.join();
            Answer repeated = api.post("/api/v1/runs", run, "Idempotency-Key", "hanging");
            String id = repeated.body().path("id").asText();
            assertThat(hung.status() == 504 || hung.body().path("id").asText().equals(id))
                    .as("the run of %s is that of %s", hung, repeated)
                    .isTrue();
            assertThat(api.awaitEnd(id).path("output").asInt()).isEqualTo(1);
        }
    }
}
