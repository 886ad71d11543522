package dev.millrace.e2e.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every flow under {@code e2e-tests/flows} ends as its {@code expected.json} says; {@code flows/README.md} explains the files. */
@ExtendWith(SharedInstallation.class)
final class FlowFilesTest {
    /** Runs the flows of one dialect, or those whose name contains the text, alone. */
    private static final String ONLY = System.getProperty("millrace.flows", "");

    static List<FlowFolder> flows() {
        return FlowFolder.all().stream()
                .filter(flow -> flow.toString().contains(ONLY))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("flows")
    @Execution(ExecutionMode.CONCURRENT)
    void endsAsExpected(FlowFolder flow, Api api) {
        var expected = new Expected(flow.expected());
        Map<String, String> scripts = flow.scripts();
        for (Path other : flow.otherFlows()) {
            deploy(api, other, "", "", scripts).ok();
        }
        Answer deployed = deploy(api, flow.definition(), flow.flowPath(), "", scripts);
        if (expected.refused() && deployed.status() >= 400) {
            expected.checkRefusal(deployed);
            return;
        }
        assertThat(deployed.ok().path("dialect").asText()).isEqualTo(flow.dialect());
        Answer submitted = api.post(
                "/api/v1/runs",
                Map.of(
                        "target",
                        Map.of("flow_hash", deployed.body().path("hash").asText()),
                        "input",
                        flow.input()));
        if (expected.refused()) {
            expected.checkRefusal(submitted);
            return;
        }
        String runId = submitted.ok().path("id").asText();
        expected.actions().forEach(action -> action.perform(api, runId));
        JsonNode run = api.awaitEnd(runId);
        expected.check(run, api.steps(runId));
    }

    private static Answer deploy(Api api, Path file, String path, String dialect, Map<String, String> scripts) {
        var body = new LinkedHashMap<String, Object>();
        body.put("path", path);
        body.put("dialect", dialect);
        body.put("file_name", String.valueOf(file.getFileName()));
        body.put("definition", FlowFolder.read(file));
        body.put("files", scripts);
        return api.post("/api/v1/flows", Json.of(body));
    }
}
