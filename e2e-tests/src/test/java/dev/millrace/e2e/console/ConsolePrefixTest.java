package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uses the console below a path of a proxy, in a browser that reaches no other host. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsolePrefixTest {
    private static final Path PICTURES = Path.of("target", "console-prefix");

    @Test
    void worksBelowAPathWithoutAnyOtherHost(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        String script = "def main():\n    print('said below a path')\n    return 1\n";
        api.deployScript("console/prefixed.py", script);
        api.deployFlow(
                "{millrace: v1, name: console/prefixed, steps: [{id: say, script: say.py}]}", Map.of("say.py", script));
        String run = api.runToEnd(Map.of("target", Map.of("flow", "console/prefixed")))
                .path("id")
                .asText();

        JsonNode seen = chromium.run(
                "console_prefix.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "run",
                        run,
                        "pages",
                        Map.ofEntries(
                                Map.entry("/", "Running now"),
                                Map.entry("/runs", run),
                                Map.entry("/runs/" + run, "say"),
                                Map.entry("/runs/" + run + "?tab=graph", "say"),
                                Map.entry("/runs/" + run + "?tab=logs", "said below a path"),
                                Map.entry("/runs/" + run + "?tab=trace", "step say"),
                                Map.entry("/flows/console/prefixed", "Start a run"),
                                Map.entry("/editor/flow/console/prefixed", "The server finds nothing wrong."),
                                Map.entry("/docs", "Start a run."),
                                Map.entry("/docs/submitRun", "curl -X POST"),
                                Map.entry("/triggers/webhook", "New webhook"),
                                Map.entry("/settings/roles", "Give a role")),
                        "links",
                        Map.of("Flows", "/flows", "Workers", "/workers", "Settings", "/settings")),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
