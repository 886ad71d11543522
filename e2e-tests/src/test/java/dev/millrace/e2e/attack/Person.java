package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.util.Map;
import java.util.Set;

/** Somebody with a role in one folder. */
record Person(String name, String workspace, String folder, Api api) {
    private static final Set<String> ENDED = Set.of("succeeded", "failed", "canceled");

    private String path() {
        return "/api/v1/workspaces/" + workspace;
    }

    Answer post(String path, Map<String, Object> body, String... headers) {
        return api.post(path() + path, body, headers);
    }

    /** The target of a script or flow of the own folder. */
    Map<String, Object> target(String kind, String file) {
        return Map.of(kind, folder + "/" + file);
    }

    void deploy(String file, String content) {
        post("/scripts", Map.of("path", folder + "/" + file, "content", content))
                .ok();
    }

    /** Deploys a flow whose result is that of its step {@code a}; in the body, {@code %1$s} stands for the folder. */
    void deployFlow(String name, String body) {
        post(
                        "/flows",
                        Map.of(
                                "file_name",
                                "flow.yaml",
                                "definition",
                                "millrace: v1\nname: %s/%s\n".formatted(folder, name)
                                        + "inputs: {key: {type: string}, mark: {type: string}}\n"
                                        + "output: ${{ steps.a.result }}\n"
                                        + body.formatted(folder) + "\n"))
                .ok();
    }

    JsonNode runToEnd(String kind, String file, Map<String, Object> input) {
        JsonNode run = submit(kind, file, input);
        JsonNode ended = awaitEnd(run);
        assertThat(ended.path("state").asText()).as("%s", ended).isEqualTo("succeeded");
        return ended.path("output");
    }

    JsonNode run(JsonNode submitted) {
        return api.get(path() + "/runs/" + submitted.path("id").asText()).ok();
    }

    /** The steps of a run, with their results. */
    JsonNode steps(JsonNode submitted) {
        return api.get(path() + "/runs/" + submitted.path("id").asText() + "/steps?include_payloads=true")
                .ok()
                .path("items");
    }

    JsonNode awaitEnd(JsonNode submitted) {
        Await.until(
                "the run has ended",
                Api.PATIENCE,
                () -> ENDED.contains(run(submitted).path("state").asText()));
        return run(submitted);
    }

    JsonNode submit(String kind, String file, Map<String, Object> input) {
        return post("/runs", Map.of("target", target(kind, file), "input", input))
                .ok();
    }

    void cancel(JsonNode submitted) {
        post("/runs/" + submitted.path("id").asText() + ":cancel", Map.of("reason", "the test is over"))
                .ok();
    }
}
