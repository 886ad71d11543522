package dev.millrace.e2e.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every flow under {@code e2e-tests/flows} ends as its {@code expected.json} says, both unchanged and converted into
 * the dialect {@code millrace}. {@code flows/README.md} explains the files.
 */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class FlowFilesTest {
    /** Limits the test to flows whose names match this regular expression, such as those of one dialect. */
    private static final Pattern ONLY = Pattern.compile(System.getProperty("millrace.flows", ""));

    @TestFactory
    Stream<DynamicNode> endAsExpected(Api api) {
        return FlowFolder.all().stream()
                .filter(flow -> ONLY.matcher(flow.toString()).find())
                .map(flow -> bothForms(flow, api));
    }

    /**
     * Runs both forms one after the other: they may share a debounce key or a limit, and the second finds warm
     * processes for its scripts.
     */
    private static DynamicNode bothForms(FlowFolder flow, Api api) {
        List<DynamicTest> forms = new ArrayList<>();
        forms.add(DynamicTest.dynamicTest("as it is", () -> runAsItIs(flow, api)));
        if (!new Expected(flow.expected()).refused()) {
            forms.add(DynamicTest.dynamicTest("converted", () -> runConverted(flow, api)));
        }
        return DynamicContainer.dynamicContainer(container -> container
                .displayName(flow.toString())
                .executionMode(ExecutionMode.CONCURRENT)
                .childExecutionMode(ExecutionMode.SAME_THREAD)
                .children(forms.stream()));
    }

    private static void runAsItIs(FlowFolder flow, Api api) {
        var expected = new Expected(flow.expected());
        deployOthers(flow, api);
        Answer deployed = api.post("/api/v1/flows", source(flow.definition(), flow.scripts(), flow.flowPath()));
        if (expected.refused() && deployed.status() >= 400) {
            expected.checkRefusal(deployed);
            return;
        }
        assertThat(deployed.ok().path("dialect").asText()).isEqualTo(flow.dialect());
        if (expected.refused()) {
            expected.checkRefusal(submit(flow, deployed, api));
            return;
        }
        JsonNode run = check(expected, flow, deployed, api);
        if (expected.again()) {
            JsonNode second = api.awaitEnd(submit(flow, deployed, api).ok());
            expected.checkAgain(run, second);
        }
    }

    private static void runConverted(FlowFolder flow, Api api) {
        deployOthers(flow, api);
        JsonNode converted = api.post("/api/v1/flows:convert", source(flow.definition(), flow.scripts(), ""))
                .ok();
        Map<String, String> scripts = new LinkedHashMap<>(flow.scripts());
        converted.path("scripts").forEachEntry((path, content) -> scripts.put(path, content.asText()));
        Answer deployed = api.post(
                "/api/v1/flows",
                source("flow.yaml", converted.path("definition").asText(), scripts, flow.flowPath() + "/converted"));
        assertThat(deployed.ok().path("dialect").asText()).isEqualTo("millrace");
        check(new Expected(flow.expected()), flow, deployed, api);
    }

    private static void deployOthers(FlowFolder flow, Api api) {
        for (Path other : flow.otherFlows()) {
            api.post("/api/v1/flows", source(other, flow.scripts(), "")).ok();
        }
    }

    private static Answer submit(FlowFolder flow, Answer deployed, Api api) {
        return api.submitAndWait(run(flow, deployed));
    }

    private static Map<String, Object> run(FlowFolder flow, Answer deployed) {
        return Map.of(
                "target",
                Map.of("flow_hash", deployed.body().path("hash").asText()),
                "input",
                flow.input(),
                "env",
                flow.env());
    }

    /** Runs the flow, compares its result, and returns the run. */
    private static JsonNode check(Expected expected, FlowFolder flow, Answer deployed, Api api) {
        JsonNode ended;
        if (expected.actions().isEmpty()) {
            ended = api.awaitEnd(submit(flow, deployed, api).ok());
        } else {
            String runId = api.submit(run(flow, deployed));
            expected.actions().forEach(action -> action.perform(api, runId));
            ended = api.awaitEnd(runId);
        }
        expected.check(ended, api.steps(ended.path("id").asText()));
        return ended;
    }

    private static JsonNode source(Path file, Map<String, String> scripts, String path) {
        return source(String.valueOf(file.getFileName()), FlowFolder.read(file), scripts, path);
    }

    private static JsonNode source(String fileName, String definition, Map<String, String> scripts, String path) {
        var body = new LinkedHashMap<String, Object>();
        body.put("path", path);
        body.put("file_name", fileName);
        body.put("definition", definition);
        body.put("files", scripts);
        return Json.of(body);
    }
}
