package dev.millrace.e2e.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.util.Optional;

/**
 * An operation on a run from outside: {@code {"await": {"step": "ask", "state": "running"}, "post":
 * "/api/v1/runs/{run_id}:cancel", "body": {…}}}. Without a step, it awaits the state of the run itself; without
 * {@code await}, nothing. {@code {run_id}} is the id of the run, {@code {step_id}} that of the awaited step.
 */
record Action(JsonNode content) {
    void perform(Api api, String runId) {
        JsonNode awaited = content.path("await");
        String stepId = awaited.isMissingNode() ? "" : await(api, runId, awaited);
        String path = content.path("post").asText().replace("{run_id}", runId).replace("{step_id}", stepId);
        JsonNode body = content.has("body") ? content.path("body") : JsonNodeFactory.instance.objectNode();
        api.post(path, body).ok();
    }

    private static String await(Api api, String runId, JsonNode awaited) {
        String state = awaited.path("state").asText();
        if (!awaited.has("step")) {
            Await.until(
                    "the run is " + state,
                    Api.PATIENCE,
                    () -> api.run(runId).path("state").asText().equals(state),
                    () -> api.run(runId).toString());
            return "";
        }
        String key = awaited.path("step").asText();
        Await.until(
                "step " + key + " is " + state,
                Api.PATIENCE,
                () -> find(api, runId, key)
                        .filter(step -> step.path("state").asText().equals(state))
                        .isPresent(),
                () -> api.steps(runId).toString());
        return find(api, runId, key).orElseThrow().path("job_id").asText();
    }

    private static Optional<JsonNode> find(Api api, String runId, String key) {
        return api.steps(runId).stream()
                .filter(step -> step.path("key").asText().equals(key))
                .findFirst();
    }
}
