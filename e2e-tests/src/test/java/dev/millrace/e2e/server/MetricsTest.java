package dev.millrace.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What real services tell Prometheus, and what the doctor says of them. */
@Tag("nightly")
final class MetricsTest {
    private static final int RUNS = 5;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void eachServiceCountsWhatItDid() throws IOException, InterruptedException {
        int schedulerPort = FreePort.next();
        int workerPort = FreePort.next();
        ClusterPlan plan = ClusterPlan.small()
                .with("millrace.scheduler.metrics-port", Integer.toString(schedulerPort))
                .with("millrace.worker.metrics-port", Integer.toString(workerPort));
        try (Installation installation = Installation.start("metrics", plan)) {
            Api api = installation.api();
            api.deployScript("tell.py", "def main(n: int):\n    return n\n");
            for (int n = 0; n < RUNS; n++) {
                Map<String, Object> run = Map.of("target", Map.of("script", "tell.py"), "input", Map.of("n", n));
                String id = api.post("/api/v1/runs", run, "traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                        .ok()
                        .path("id")
                        .asText();
                assertThat(api.awaitEnd(id).path("state").asText()).isEqualTo("succeeded");
            }

            Await.until(
                    "the scheduler shows the runs and the tables",
                    Api.PATIENCE,
                    () -> page(schedulerPort)
                                    .contains(
                                            "millrace_runs_ended_total{kind=\"script\",outcome=\"succeeded\",path=\"tell.py\","
                                                    + "workspace=\"default\"} " + RUNS + ".0")
                            && page(schedulerPort)
                                    .contains("millrace_database_table_size_bytes{table=\"job_history\"}"));
            assertThat(page(schedulerPort))
                    .contains("millrace_worker_sessions 1.0", "millrace_lanes_connected 1.0", "jvm_memory_used_bytes")
                    .containsPattern("millrace_job_run_seconds_bucket.* # \\{.*trace_id=\"" + TRACE);
            assertThat(page(workerPort)).contains("millrace_worker_process_start_seconds_count{language=\"python");
            int gatewayPort = installation.cluster().gatewayUrl().getPort();
            assertThat(page(gatewayPort))
                    .contains("millrace_http_request_duration_seconds_count{method=\"POST\",route=\"/api/v1/runs\"");
            if (hasPromtool()) {
                for (int port : List.of(schedulerPort, workerPort, gatewayPort)) {
                    checkNames(port);
                }
            }
            examine(installation);
        }
    }

    /** The database of the tests may run without fsync, which the doctor must find; nothing else is wrong. */
    private static void examine(Installation installation) {
        Cli cli = new Cli(installation.cluster().gatewayUrl());
        var said = cli.run("doctor", "--database", installation.postgres().jdbcUrl(), "--output", "json");

        var report = Json.parse(said.output());
        assertThat(report.path("findings"))
                .anySatisfy(
                        finding -> assertThat(finding.path("subject").asText()).isEqualTo("workers"))
                .filteredOn(finding -> finding.path("level").asText().equals("error"))
                .allSatisfy(
                        finding -> assertThat(finding.path("subject").asText()).isEqualTo("database settings"));
        assertThat(said.exitCode()).isEqualTo(report.path("healthy").asBoolean() ? 0 : 1);
    }

    private String page(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", "application/openmetrics-text; version=1.0.0")
                .build();
        try {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError("The metrics at port " + port + " cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Lets promtool check the names and help texts of what a service shows. */
    private void checkNames(int port) throws IOException, InterruptedException {
        String text = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectErrorStream(true)
                .start();
        promtool.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        promtool.getOutputStream().close();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(promtool.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("millrace_"))).isEmpty();
    }

    private static boolean hasPromtool() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    }
}
