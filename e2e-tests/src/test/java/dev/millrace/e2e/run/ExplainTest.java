package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Answers to a user who asks what a run waits for. */
@ExtendWith(SharedInstallation.class)
final class ExplainTest {
    private static final String FLOW = """
            millrace: v1
            name: run/explained
            inputs: {gate: {type: object}}
            steps:
              - {id: ask, needs: [], wait: {approval: release}}
              - {id: lost, needs: [], handler: nobody-has-this}
              - {id: works, needs: [], script: gate.py, input: "${{ inputs.gate }}"}
              - {id: after, needs: [ask, works], value: done}
            """;

    @Test
    void saysWhatEachStepDoesOrWaitsFor(Installation installation, @TempDir Path folder) {
        Api api = installation.api();
        var gate = new Gate(folder);
        api.deployFlow(FLOW, Map.of("gate.py", Gate.PYTHON));
        String run =
                api.submit(Map.of("target", Map.of("flow", "run/explained"), "input", Map.of("gate", gate.input())));
        gate.awaitArrivals(1);

        Await.until(
                "the wait for approvals has begun",
                Api.PATIENCE,
                () -> causes(explain(api, run)).containsKey("ask"));
        Map<String, String> causes = causes(explain(api, run));
        var shown = new Cli(installation.cluster().gatewayUrl()).run("runs", "explain", run);

        assertThat(causes)
                .containsEntry("ask", "events")
                .containsEntry("lost", "no_worker")
                .containsEntry("works", "running")
                .containsEntry("after", "needs");
        assertThat(shown.exitCode()).as(shown.errors()).isZero();
        assertThat(shown.output())
                .contains("ask: It waits for the approval \"release\": 0 of 1 received.")
                .contains("lost: No connected worker takes jobs with the tag \"handler:nobody-has-this\".")
                .contains("after: ");
        gate.open();
        api.cancel(run, "it was explained").ok();
        assertThat(explain(api, run).path("summary").asText()).contains("canceled");
    }

    private static JsonNode explain(Api api, String run) {
        return api.get("/api/v1/runs/" + run + "/explanation").ok();
    }

    private static Map<String, String> causes(JsonNode explained) {
        return StreamSupport.stream(explained.path("steps").spliterator(), false)
                .collect(Collectors.toMap(
                        step -> step.path("step").asText(),
                        step -> step.path("cause").asText()));
    }
}
