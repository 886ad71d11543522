package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.testing.GatewayTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WorkspaceAddressesTest extends GatewayTest {
    private static final String RUN = "{\"target\":{\"handler\":\"h\"}}";
    private static final String NAMED = "{\"name\":\"ci\"}";
    private static final String PATH = "{\"path\":\"a/b\"}";
    private static final String FLOW = "{\"file_name\":\"f.yaml\",\"definition\":\"x\"}";

    /** Request bodies by the end of method and path, if {@code {}} is not enough for a request to reach the scheduler. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("/runs", RUN),
            Map.entry("/runs:batch", "{\"items\":[" + RUN + "]}"),
            Map.entry("/flows", FLOW),
            Map.entry("/flows:validate", FLOW),
            Map.entry("/flows:plan", FLOW),
            Map.entry("/scripts", "{\"path\":\"a.py\",\"content\":\"\"}"),
            Map.entry("/scripts:plan", "{\"path\":\"a.py\",\"content\":\"\"}"),
            Map.entry("/bulk-operations", "{\"operation\":\"cancel\",\"run_ids\":[\"r1\"]}"),
            Map.entry("/service-accounts", NAMED),
            Map.entry("/tokens", NAMED),
            Map.entry("/worker-tokens", NAMED),
            Map.entry("/schedules/{*path}", "{\"run\":" + RUN + ",\"every\":\"1h\"}"),
            Map.entry("/schedules:pause", PATH),
            Map.entry("/schedules:resume", PATH),
            Map.entry("/schedules:trigger", PATH),
            Map.entry(
                    "/schedules:backfill",
                    "{\"path\":\"a/b\",\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\"}"),
            Map.entry(
                    "PUT /api/v1/triggers/{kind}/{*path}",
                    "{\"run\":" + RUN + ",\"webhook\":{\"scheme\":\"github\",\"secrets\":[\"a/b\"]}}"),
            Map.entry("PATCH /api/v1/triggers/{kind}/{*path}", "{\"paused\":true}"),
            Map.entry("/alerts/{name}", "{\"types\":[\"run.failed\"]}"),
            Map.entry("/resources/{*path}", "{\"value\":1}"),
            Map.entry("/resource-types/{name}", "{\"schema\":{}}"),
            Map.entry("/wait-links:revoke", "{\"step\":\"ship\"}"),
            Map.entry(
                    "/trusts",
                    "{\"name\":\"a\",\"service_account\":\"b\",\"issuer\":\"c\",\"audience\":\"d\",\"claims\":{\"e\":\"f\"}}"),
            Map.entry("/roles", "{\"subject\":\"user:ada\",\"role\":\"viewer\"}"));

    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        // Not close(): it would wait for the event streams.
        client.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> passOnTheWorkspaceThatTheyName() {
        return gateway.endpoints().stream()
                .filter(endpoint -> !endpoint.isShared())
                .flatMap(endpoint ->
                        Stream.of(DynamicTest.dynamicTest(endpoint.method() + " " + endpoint.path(), () -> {
                            assertThat(workspaces(endpoint, endpoint.paths().get(0)))
                                    .isNotEmpty()
                                    .containsOnly("");
                            assertThat(workspaces(endpoint, endpoint.paths().get(1)))
                                    .isNotEmpty()
                                    .containsOnly("team-a");
                        })));
    }

    @Test
    void tellWhereSomethingNewIs() {
        var run = post("/api/v1/workspaces/team-a/runs", RUN);
        var script = post("/api/v1/workspaces/team-a/scripts", "{\"path\":\"a/b.py\",\"content\":\"\"}");

        assertThat(run.headers().firstValue("location").orElseThrow())
                .isEqualTo(
                        "/api/v1/workspaces/team-a/runs/" + json(run).path("id").asText());
        assertThat(script.headers().firstValue("location")).hasValue("/api/v1/workspaces/team-a/scripts/a/b.py");
        assertThat(get("/api/v1/workspaces/team-a/scripts/a/b.py").statusCode()).isEqualTo(200);
    }

    @Test
    void areNotThoseOfWhatAllWorkspacesShare() {
        for (String shared : List.of("/workers", "/server/status", "/docs/", "/runs/r1/wait-links/token")) {
            problem(get("/api/v1/workspaces/team-a" + shared), 404, "no_such_address");
        }
    }

    @Test
    void tellWhichMethodsArePossible() {
        assertThat(problem(delete("/api/v1/workspaces/team-a/runs/r1"), 405, "method_not_allowed")
                        .path("detail")
                        .asText())
                .contains("(possible: GET)");
    }

    /** The workspaces of the requests that reach the scheduler. */
    private List<String> workspaces(Endpoint endpoint, String pattern) throws IOException, InterruptedException {
        scheduler.requests.clear();
        var path = pattern.replace("{workspace}", "team-a")
                .replace("{kind}", "webhook")
                .replaceAll("\\{\\*[a-z]+}", "a/b")
                .replaceAll("\\{[a-z]+}", "r1");
        var body = BODIES.entrySet().stream()
                .filter(entry -> (endpoint.method() + " " + endpoint.path()).endsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("{}");
        var request = request(path)
                .header("content-type", "application/json")
                .method(
                        endpoint.method().name(),
                        WITH_BODY.contains(endpoint.method().name())
                                ? BodyPublishers.ofString(body)
                                : BodyPublishers.noBody())
                .build();
        HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
        answer.body().close();
        return scheduler.requests.stream()
                .map(WorkspaceAddressesTest::workspace)
                .toList();
    }

    private static String workspace(Message request) {
        return (String) request.getField(request.getDescriptorForType().findFieldByName("workspace"));
    }
}
