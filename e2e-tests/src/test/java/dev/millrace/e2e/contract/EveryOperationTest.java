package dev.millrace.e2e.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.login.MockProvider;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Tests that each operation of the OpenAPI document answers as described, with each success, content type and event.
 */
final class EveryOperationTest {
    private static final int LARGE_BULK = 5_000;
    private static final int BULK_ATTEMPTS = 5;

    private static final String ECHO = "def main(value=1):\n    print(value)\n    return value\n";
    private static final String FLOW = """
        millrace: v1
        name: every/flow
        steps:
          - {id: first, script: every/echo.py, input: {value: 2}}
          - {id: second, needs: [first], value: done}
        """;
    private static final String WAITING = """
        millrace: v1
        name: every/waiting
        steps:
          - {id: ask, needs: [], wait: {approval: release, details: {title: Release}}}
          - {id: task, needs: [], wait: {human: price}}
          - {id: go, needs: [], wait: {signal: go, timeout: 1h}}
        """;

    @Test
    void answersAsTheDocumentSays() {
        try (var provider = MockProvider.start();
                var installation = Installation.start("operations", provider.addTo(ClusterPlan.small()))) {
            var calls = new Calls(installation.api());

            definitions(calls);
            runs(calls);
            operations(calls);
            waits(calls, installation.api());
            bulkOperations(calls);
            blobs(calls);
            server(calls);
            kill(calls, installation.cluster().schedulerAddress(0));
            queues(calls);
            events(calls);
            alerts(calls);
            ScheduleCalls.callAll(calls);
            AccessCalls.callAll(calls);
            LoginCalls.callAll(calls, provider, origin(installation));
            brokenStreams(calls, installation);

            assertThat(installation.api().contract().unseen())
                    .as("what no answer has shown")
                    .isEmpty();
        }
    }

    private static String origin(Installation installation) {
        return installation.cluster().gatewayUrl().toString();
    }

    private static void definitions(Calls calls) {
        // Its schema takes anything, so that a run can fail with a wrong input.
        Map<String, Object> anything = Map.of("type", "object");
        calls.ok("deployScript", "", Map.of("path", "every/echo.py", "content", ECHO, "input_schema", anything));
        calls.ok("deployScript", "", Map.of("path", "every/gone.py", "content", ECHO, "input_schema", anything));
        calls.ok("planScript", "", Map.of("path", "every/echo.py", "content", "def main():\n    return 2\n"));
        calls.ok("listScripts");
        calls.ok("getScript", "every/echo.py");
        calls.ok("deleteScript", "every/gone.py", null, calls.flags("deleteScript"));
        calls.ok("validateFlow", "", Map.of("definition", FLOW));
        calls.ok("validateFlow", "", Map.of("definition", FLOW.replace("[first]", "[frist]")));
        calls.ok("convertFlow", "", Map.of("definition", FLOW));
        calls.ok("planFlow", "", Map.of("definition", FLOW));
        calls.ok("deployFlow", "", Map.of("definition", FLOW));
        calls.ok("planFlow", "", Map.of("definition", FLOW));
        calls.ok("deployFlow", "", Map.of("definition", WAITING));
        calls.ok("deployFlow", "", Map.of("definition", FLOW, "path", "every/gone"));
        calls.ok("listFlows");
        String version = calls.ok("getFlow", "every/flow").path("hash").asText();
        assertThat(calls.ok("getFlow", "every/other", null, "?hash=" + version)
                        .path("hash")
                        .asText())
                .isEqualTo(version);
        assertThat(calls.ok("listFlowVersions", "every/flow").path("items")).hasSize(1);
        assertThat(calls.ok("listScriptVersions", "every/echo.py").path("items"))
                .hasSize(1);
        calls.ok("deleteFlow", "every/gone");
    }

    private static void runs(Calls calls) {
        calls.ok("submitRun", "", Map.of("target", Map.of("script", "every/echo.py"), "input", Map.of("value", "x")));
        calls.ok("submitRuns", "", Map.of("items", List.of(Map.of("target", Map.of("script", "every/echo.py")))));
        String run = calls.ok("submitRun", "", Map.of("target", Map.of("flow", "every/flow")), "?wait=60s")
                .path("id")
                .asText();
        String failed = calls.ok("submitRun", "", scriptCall(Map.of("surprise", 1)), "?wait=60s")
                .path("id")
                .asText();

        assertThat(calls.ok("getRun", run).path("state").asText()).isEqualTo("succeeded");
        assertThat(calls.ok("getRun", failed).path("state").asText()).isEqualTo("failed");
        calls.ok("listSteps", failed, null, calls.flags("listSteps"));
        calls.ok("listIterations", run, null, "?loop=first&state=failed&from_number=3");
        assertThat(calls.ok("listSteps", run, null, calls.flags("listSteps")).path("items"))
                .hasSize(2);
        assertThat(calls.ok("listLogs", run, null, "?order=newest&stream=stdout&step=first&before=9000000000")
                        .path("items"))
                .isNotEmpty();
        assertThat(calls.ok("searchLogs", run, null, "?text=2&after=0").path("items"))
                .isNotEmpty();
        assertThat(calls.get("downloadLogs", run).status()).isEqualTo(200);
        calls.ok("explainRun", run);
        calls.ok("getRunTrace", failed);
        calls.ok("listRuns", "", null, "?state=failed&state=succeeded&page_size=2");
        calls.ok("listRuns", "", null, "?input=value%3D2&created_from=2026-01-01T00:00:00Z");
        try (EventStream events = calls.follow("watchRun", run);
                EventStream logs = calls.follow("listLogs", run);
                EventStream changes = calls.follow("followRuns", "")) {
            changes.await("a position", Api.PATIENCE, event -> event.type().equals("checkpoint"));
            assertThat(events.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("end");
            assertThat(logs.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("end");
        }
    }

    private static void operations(Calls calls) {
        String run = waiting(calls);
        calls.ok("pauseRun", run, Map.of("reason", "lunch", "actor", "ada"));
        calls.ok("resumeRun", run);
        calls.ok("pinRun", run, Map.of("reason", "evidence", "actor", "ada"));
        assertThat(calls.ok("listPinnedRuns").path("items")).hasSize(1);
        calls.ok("unpinRun", run);
        for (String step : List.of("ask", "task", "go")) {
            calls.ok("skipStep", run, Map.of("step", step, "result", Map.of("by", "hand")));
        }
        assertThat(calls.ok("getRun", run).path("state").asText()).isEqualTo("succeeded");
        String again = calls.ok("restartRun", run).path("id").asText();
        calls.ok("rerunRun", run, Map.of("step", "ask"));
        calls.ok("cancelRun", again, Map.of("reason", "enough"));
        calls.ok("retryRun", again);
        assertThat(calls.ok("listRunOperations", run).path("items")).hasSizeGreaterThan(5);
        assertThat(calls.ok("listRunHistory", run).path("items")).hasSizeGreaterThan(5);
    }

    private static void waits(Calls calls, Api api) {
        String run = waiting(calls);
        assertThat(calls.ok("listWaits", run).path("items")).hasSize(3);
        assertThat(calls.ok("listPendingWaits").path("items").findValuesAsText("run_id"))
                .contains(run);
        calls.ok("explainRun", run);
        calls.ok("sendSignal", run, Map.of("name", "go", "payload", List.of(1)));
        calls.ok("approveWait", run, Map.of("step", "ask", "actor", "ada"));
        calls.ok("completeWait", run, Map.of("step", "task", "payload", Map.of("price", 3)));
        calls.ok("denyWait", waiting(calls), Map.of("step", "ask", "payload", "too early"));

        calls.ok("revokeWaitLinks", run, Map.of("step", "ask"));
        JsonNode link = calls.ok("createWaitLinks", waiting(calls), Map.of("step", "ask", "actors", List.of("ada")))
                .path("items")
                .path(0);
        String path = StreamSupport.stream(link.spliterator(), false)
                .map(JsonNode::asText)
                .filter(text -> text.startsWith("/"))
                .findFirst()
                .orElseThrow();
        assertThat(api.get(path).ok().path("wait").path("step").asText()).isEqualTo("ask");
        api.post(path, Map.of("payload", "agreed")).ok();
    }

    private static void bulkOperations(Calls calls) {
        String run = waiting(calls);
        String bulk = calls.ok(
                        "startBulkOperation",
                        "",
                        bulk(List.of(run, UUID.randomUUID().toString())))
                .path("id")
                .asText();
        Await.until(
                "the bulk operation has ended",
                Api.PATIENCE,
                () -> calls.ok("getBulkOperation", bulk).path("state").asText().equals("ended"));
        assertThat(calls.ok("listBulkOperationRuns", bulk).path("items")).hasSize(2);
        calls.ok("listBulkOperations");

        // If the bulk operation ends before the request to cancel it arrives, the answer is 409.
        Object batch = Map.of(
                "items", Collections.nCopies(LARGE_BULK, Map.of("target", Map.of("handler", "nobody-offers-this"))));
        for (int i = 0; i < BULK_ATTEMPTS; i++) {
            JsonNode ids = calls.ok("submitRuns", "", batch).path("run_ids");
            String large =
                    calls.ok("startBulkOperation", "", bulk(ids)).path("id").asText();
            if (calls.call("cancelBulkOperation", large, Map.of("reason", "enough"), "")
                            .status()
                    == 200) {
                return;
            }
        }
    }

    private static void blobs(Calls calls) {
        String blob = calls.ok("uploadBlob", "", List.of(1, 2)).path("$blob").asText();
        assertThat(calls.ok("listBlobs").path("items")).hasSize(1);
        assertThat(calls.ok("downloadBlob", blob)).hasSize(2);
        assertThat(calls.get("downloadBlob", blob, "range", "bytes=1-1").status())
                .isEqualTo(206);
        calls.ok("describeBlob", blob);
        calls.ok("deleteBlob", blob);
    }

    private static void server(Calls calls) {
        assertThat(calls.ok("listWorkers").path("items")).hasSize(1);
        calls.ok("getServerStatus");
        calls.ok("live");
        calls.ok("ready");
        calls.ok("metrics");
    }

    private static void kill(Calls calls, String scheduler) {
        try (TrialWorker worker = new TrialWorker(scheduler)) {
            calls.ok("drainWorker", "", Map.of("session_id", worker.session(), "reason", "new disk"));
            calls.ok("resumeWorker", "", Map.of("session_id", worker.session()));
            calls.ok("killWorker", "", Map.of("session_id", worker.session()));
            worker.awaitKill();
        }
    }

    private static void queues(Calls calls) {
        calls.ok("pauseQueue", "", Map.of("tag", "press", "reason", "new ink", "length", "2h"));
        assertThat(calls.ok("listQueues").path("items").findValuesAsText("tag")).contains("press");
        assertThat(calls.ok("resumeQueue", "", Map.of("tag", "press"))
                        .path("pause")
                        .path("reason")
                        .asText())
                .isEqualTo("new ink");
        calls.ok("listLimits");
        assertThat(calls.ok("getActivity").path("minutes")).hasSize(60);
    }

    private static void events(Calls calls) {
        try (EventStream kept = calls.follow("followEvents", "");
                EventStream late = calls.follow("followEvents", "", "?until_now=true&after_position=1-1-0-1")) {
            assertThat(kept.awaitEnd(Api.PATIENCE))
                    .anyMatch(event -> event.type().equals("event"));
            assertThat(late.awaitEnd(Api.PATIENCE))
                    .anyMatch(event -> event.type().equals("gap"));
        }
        try (EventStream all = calls.follow("followRuns", "", "");
                EventStream failed = calls.follow("followRuns", "", "?state=failed");
                EventStream both = calls.follow("followRuns", "", "?type=run.*");
                EventStream late = calls.follow("followRuns", "", "?after_position=1-1-0-1")) {
            late.await("a gap", Api.PATIENCE, event -> event.type().equals("gap"));
            all.await("a position", Api.PATIENCE, event -> event.type().equals("checkpoint"));
            failed.await("a position", Api.PATIENCE, event -> event.type().equals("checkpoint"));
            both.await("a position", Api.PATIENCE, event -> event.type().equals("checkpoint"));
            calls.ok("submitRun", "", scriptCall(Map.of("value", "y")), "?wait=60s");
            all.await("a run of the list", Api.PATIENCE, event -> event.type().equals("run"));
            both.await(
                    "an event beside the runs",
                    Api.PATIENCE,
                    event -> event.type().equals("event"));
            failed.await(
                    "a run of no such state",
                    Api.PATIENCE,
                    event -> event.type().equals("left"));
        }
    }

    private static void alerts(Calls calls) {
        Map<String, Object> hook = Map.of("url", "http://receiver.invalid/hook");
        calls.ok("putAlert", "ends", Map.of("types", List.of("run.*"), "webhook", hook));
        calls.ok("pauseAlert", "ends");
        calls.ok("resumeAlert", "ends");
        calls.ok("submitRun", "", Map.of("target", Map.of("script", "every/echo.py")));
        Await.until(
                "a message is written",
                Api.PATIENCE,
                () -> !calls.ok("listDeliveries", "ends").path("items").isEmpty());
        calls.ok("replayDeliveries", "ends");
        calls.ok("getAlert", "ends");
        calls.ok("listAlerts");
        calls.ok("deleteAlert", "ends");
    }

    private static void brokenStreams(Calls calls, Installation installation) {
        String run = waiting(calls);
        try (EventStream events = calls.follow("watchRun", run);
                EventStream logs = calls.follow("listLogs", run);
                EventStream feed = calls.follow("followEvents", "", "");
                EventStream changes = calls.follow("followRuns", "", "")) {
            feed.await("the first position", Api.PATIENCE, _ -> true);
            changes.await("the first position", Api.PATIENCE, _ -> true);
            events.await("the first event", Api.PATIENCE, _ -> true);
            installation.cluster().scheduler(0).kill();

            assertThat(events.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("error");
            assertThat(logs.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("error");
            assertThat(feed.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("error");
            assertThat(changes.awaitEnd(Api.PATIENCE).getLast().type()).isEqualTo("error");
        }
    }

    private static Map<String, Object> scriptCall(Map<String, Object> input) {
        return Map.of("target", Map.of("script", "every/echo.py"), "input", input);
    }

    private static Map<String, Object> bulk(Object runs) {
        return Map.of("operation", "cancel", "run_ids", runs, "reason", "enough", "actor", "ada");
    }

    /** Submits a run, and returns once all of its steps wait. */
    private static String waiting(Calls calls) {
        String run = calls.ok("submitRun", "", Map.of("target", Map.of("flow", "every/waiting")))
                .path("id")
                .asText();
        Await.until(
                "three steps wait",
                Api.PATIENCE,
                () -> calls.ok("listWaits", run).path("items").size() == 3);
        return run;
    }
}
