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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every flow under {@code e2e-tests/flows} ends as its {@code expected.json} says, as it is and converted into the dialect {@code millrace};
 * {@code flows/README.md} explains the files.
 */
@ExtendWith(SharedInstallation.class)
final class FlowFilesTest {
    /** Runs the flows of one dialect, or those whose name holds what this regular expression stands for, alone. */
    private static final Pattern ONLY = Pattern.compile(System.getProperty("millrace.flows", ""));

    /** A flow and its converted form may share a debounce key or a limit, so that they do not run at the same time. */
    private static final Map<String, Lock> TURNS = new ConcurrentHashMap<>();

    static List<FlowFolder> flows() {
        return FlowFolder.all().stream()
                .filter(flow -> ONLY.matcher(flow.toString()).find())
                .toList();
    }

    static List<FlowFolder> acceptedFlows() {
        return flows().stream()
                .filter(flow -> !new Expected(flow.expected()).refused())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("flows")
    @Execution(ExecutionMode.CONCURRENT)
    void endsAsExpected(FlowFolder flow, Api api) {
        inTurn(flow, () -> runAsItIs(flow, api));
    }

    @ParameterizedTest
    @MethodSource("acceptedFlows")
    @Execution(ExecutionMode.CONCURRENT)
    void endsAlikeOnceConverted(FlowFolder flow, Api api) {
        inTurn(flow, () -> runConverted(flow, api));
    }

    private static void inTurn(FlowFolder flow, Runnable test) {
        Lock turn = TURNS.computeIfAbsent(flow.toString(), _ -> new ReentrantLock());
        turn.lock();
        try {
            test.run();
        } finally {
            turn.unlock();
        }
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
        Answer submitted = submit(flow, deployed, api);
        if (expected.refused()) {
            expected.checkRefusal(submitted);
            return;
        }
        check(expected, submitted, api);
        if (expected.again()) {
            runAgain(expected, flow, deployed, submitted, api);
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
        check(new Expected(flow.expected()), submit(flow, deployed, api), api);
    }

    private static void deployOthers(FlowFolder flow, Api api) {
        for (Path other : flow.otherFlows()) {
            api.post("/api/v1/flows", source(other, flow.scripts(), "")).ok();
        }
    }

    private static Answer submit(FlowFolder flow, Answer deployed, Api api) {
        return api.post(
                "/api/v1/runs",
                Map.of(
                        "target",
                        Map.of("flow_hash", deployed.body().path("hash").asText()),
                        "input",
                        flow.input()));
    }

    private static void runAgain(Expected expected, FlowFolder flow, Answer deployed, Answer submitted, Api api) {
        JsonNode first = api.awaitEnd(submitted.body().path("id").asText());
        JsonNode second =
                api.awaitEnd(submit(flow, deployed, api).ok().path("id").asText());
        expected.checkAgain(first, second);
    }

    private static void check(Expected expected, Answer submitted, Api api) {
        String runId = submitted.ok().path("id").asText();
        expected.actions().forEach(action -> action.perform(api, runId));
        JsonNode run = api.awaitEnd(runId);
        expected.check(run, api.steps(runId));
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
