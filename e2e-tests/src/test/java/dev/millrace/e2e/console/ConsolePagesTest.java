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

/** Does in a browser what people do in the console: schedules, webhooks, alerts, settings, editor, approvals, links. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsolePagesTest {
    private static final Path PICTURES = Path.of("target", "console-pages");
    private static final String FLOW = "console/question";
    private static final String STARTED = "console_paid";
    private static final String QUESTION = "Ship version 7?";

    @Test
    void doesWhatTheButtonsSay(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployScript("console/target.py", "def main(kind=\"daily\", order=0):\n    return kind\n");
        api.deployFlow(
                "{millrace: v1, name: " + FLOW + ", steps: [{id: ask, wait: {approval: ship, details: {title: '"
                        + QUESTION + "', form: {type: object, properties: {why: {type: string}}}}}}]}",
                Map.of());
        api.submit(Map.of("target", Map.of("flow", FLOW)));
        api.deployFlow(
                "{millrace: v1, name: console/publish, steps: [{id: publish, publish: {event: 'conductor:order:paid',"
                        + " message: {amount: 7}}}]}",
                Map.of());
        api.deployFlow(
                "{millrace: v1, name: " + STARTED + ", open_inputs: true, steps: [{id: ship, value: 1}]}", Map.of());
        String linked = api.submit(Map.of("target", Map.of("flow", FLOW)));
        String link = api.post(
                        "/api/v1/runs/" + linked + "/wait-links", Map.of("step", "ask", "actors", List.of("ann")))
                .ok()
                .path("items")
                .path(0)
                .path("accept_path")
                .asText();

        JsonNode done = chromium.run(
                "console_pages.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "script",
                        "console/target.py",
                        "question",
                        QUESTION,
                        "started",
                        STARTED,
                        "publisher",
                        "console/publish",
                        "link",
                        link),
                PICTURES);

        assertThat(done.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
        assertThat(api.awaitEnd(linked).path("state").asText()).isEqualTo("succeeded");
    }
}
