package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which workers and processes serve which workspaces, with a worker for all and one for an isolated workspace. */
@Tag("nightly")
final class WorkspaceWorkersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, Object> RUN = Map.of("target", Map.of("script", "count.py"));
    private static final String COUNT = """
            calls = 0

            def main():
                global calls
                calls += 1
                return calls
            """;

    @Test
    void jobsAndProcessesStayWithTheirWorkspaces() {
        try (Installation installation = Installation.start("workspace-workers", ClusterPlan.small())) {
            Api api = installation.api();
            create(api, "open", false);
            create(api, "closed", true);
            for (String workspace : new String[] {"default", "open", "closed"}) {
                api.post(in(workspace) + "/scripts", Map.of("path", "count.py", "content", COUNT))
                        .ok();
            }

            assertThat(output(api, "default")).isEqualTo(1);
            assertThat(output(api, "open")).as("calls of a process of its own").isEqualTo(1);

            String closed = submit(api, "closed");
            output(api, "default");
            assertThat(state(api, "closed", closed)).as("no worker may take it").isEqualTo("queued");

            String token = api.post(in("closed") + "/worker-tokens", Map.of("name", "closed"))
                    .ok()
                    .path("secret")
                    .asText();
            installation.cluster().startWorker("closed-worker", 0, Map.of("millrace.worker.token", token));
            awaitSuccess(api, "closed", closed);

            installation.cluster().worker(0).terminate();
            String waiting = submit(api, "default");
            awaitSuccess(api, "closed", submit(api, "closed"));
            assertThat(state(api, "default", waiting))
                    .as("the worker of the isolated workspace may not take it")
                    .isEqualTo("queued");
        }
    }

    private static void create(Api api, String name, boolean isIsolated) {
        api.post("/api/v1/workspaces", Map.of("name", name, "isolated", isIsolated))
                .ok();
    }

    private static String in(String workspace) {
        return "/api/v1/workspaces/" + workspace;
    }

    private static String submit(Api api, String workspace) {
        return api.post(in(workspace) + "/runs", RUN).ok().path("id").asText();
    }

    private static int output(Api api, String workspace) {
        JsonNode run = api.post(in(workspace) + "/runs?wait=30s", RUN).ok();
        assertThat(run.path("state").asText()).as(run.toString()).isEqualTo("succeeded");
        return run.path("output").asInt();
    }

    private static String state(Api api, String workspace, String run) {
        return api.get(in(workspace) + "/runs/" + run).ok().path("state").asText();
    }

    private static void awaitSuccess(Api api, String workspace, String run) {
        Await.until(
                "run " + run + " has succeeded",
                PATIENCE,
                () -> state(api, workspace, run).equals("succeeded"));
    }
}
