package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Looks at each page in both themes, wide and narrow; names, errors and logs try to be code. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleTest {
    private static final Path PICTURES = Path.of("target", "console");
    private static final String FLOW = "console/attack";
    private static final String ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script>";

    @Test
    void showsEachPageAndExecutesNothing(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployFlow("""
                millrace: v1
                name: console/attack
                inputs: {text: {type: string}}
                steps:
                  - {id: say, script: say.py, input: {text: "${{ inputs.text }}"}}
                """, Map.of("say.py", "def main(text):\n    print(text)\n    raise ValueError(text)\n"));
        String run = api.runToEnd(Map.of("target", Map.of("flow", FLOW), "input", Map.of("text", ATTACK)))
                .path("id")
                .asText();

        api.put(
                "/api/v1/schedules/console/nightly",
                Map.of(
                        "run",
                        Map.of("target", Map.of("flow", FLOW), "input", Map.of("text", ATTACK)),
                        "cron",
                        List.of("30 2 * * *"),
                        "zone",
                        "Europe/Berlin",
                        "description",
                        ATTACK));

        api.put("/api/v1/secrets/console/key", Map.of("value", "a-secret-of-the-test"));
        api.put(
                "/api/v1/triggers/webhook/console/pushes",
                Map.of(
                        "run", Map.of("target", Map.of("flow", FLOW)),
                        "webhook", Map.of("scheme", "token", "secrets", List.of("console/key")),
                        "description", ATTACK));
        api.put(
                "/api/v1/event-handlers/console/ship",
                Map.of(
                        "event",
                        "conductor:order:paid",
                        "condition",
                        "$.text != '" + ATTACK + "'",
                        "actions",
                        List.of(Map.of("action", "start_workflow", "start_workflow", Map.of("name", FLOW)))));
        api.put(
                "/api/v1/alerts/console",
                Map.of("types", List.of("run.failed"), "webhook", Map.of("url", "http://receiver.invalid/none")));

        api.deployFlow(
                "{millrace: v1, name: console/ask, steps: [{id: ask, wait: {approval: ship, details:"
                        + " {title: 'Ship <b>it</b>?', form: {type: object, properties: {why: {type: string}}}}}}]}",
                Map.of());
        String asked = api.submit(Map.of("target", Map.of("flow", "console/ask")));
        String link = api.post("/api/v1/runs/" + asked + "/wait-links", Map.of("step", "ask", "actors", List.of("ann")))
                .ok()
                .path("items")
                .path(0)
                .path("accept_path")
                .asText();

        JsonNode seen = chromium.run(
                "console.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "pages",
                        Map.ofEntries(
                                page("home", "/", "Running now"),
                                page("runs", "/runs?name=" + FLOW, run),
                                page("run", "/runs/" + run + "?step=say", "alert(2)"),
                                page("graph", "/runs/" + run + "?tab=graph", "say"),
                                page("logs", "/runs/" + run + "?tab=logs", "alert(2)"),
                                page("data", "/runs/" + run + "?tab=data", "alert(2)"),
                                page("history", "/runs/" + run + "?tab=history", "The run was accepted"),
                                page("trace", "/runs/" + run + "?tab=trace", "step say"),
                                page("flows", "/flows", FLOW),
                                page("flow", "/flows/" + FLOW, "Start a run"),
                                page("scripts", "/scripts", "Scripts"),
                                page("approvals", "/approvals", "Ship <b>it</b>?"),
                                page("link", link, "in the name of ann"),
                                page("editor", "/editor/flow", "finds nothing"),
                                page("edit", "/editor/flow/" + FLOW, "Deploy"),
                                page("schedules", "/schedules", "console/nightly"),
                                page("schedule", "/schedules/console/nightly", "alert(2)"),
                                page("triggers", "/triggers", "console/pushes"),
                                page("trigger", "/triggers/webhook/console/pushes", "alert(2)"),
                                page("handlers", "/triggers/handlers", "console/ship"),
                                page("handler", "/triggers/handlers/console/ship", "alert(2)"),
                                page("alerts", "/alerts", "run.failed"),
                                page("alert", "/alerts/console", "Messages"),
                                page("docs", "/docs", "Start a run."),
                                page("operation", "/docs/submitRun", "curl -X POST"),
                                page("secrets", "/settings", "console/key"),
                                page("resources", "/settings/resources", "New resource"),
                                page("workspaces", "/settings/workspaces", "New workspace"),
                                page("tokens", "/settings/tokens", "shown once"),
                                page("accounts", "/settings/accounts", "New service account"),
                                page("roles", "/settings/roles", "Give a role"),
                                page("people", "/settings/people", "New user"),
                                page("quotas", "/settings/quotas", "Open streams"),
                                page("audit", "/settings/audit", "PutSchedule"),
                                page("storage", "/settings/storage", "job_history"),
                                page("workers", "/workers", "in use"),
                                page("queues", "/queues", "per second"))),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }

    private static Map.Entry<String, Map<String, Object>> page(String name, String path, String ready) {
        return Map.entry(name, Map.of("path", path, "ready", ready, "expected", List.of()));
    }
}
