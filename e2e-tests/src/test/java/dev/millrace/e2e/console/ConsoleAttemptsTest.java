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

/** Looks in a browser at jobs that fail twice and then succeed, in a flow and by themselves. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleAttemptsTest {
    private static final Path PICTURES = Path.of("target", "console-attempts");
    private static final String FLAKY = """
            from millrace import current

            def main():
                if current().attempt < 3:
                    raise ValueError(f"No luck at attempt {current().attempt}.")
                return 1
            """;

    @Test
    void showsEachAttempt(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployFlow(flow("console/attempts", "{max_retries: 2, delay: 300ms}"), Map.of("flaky.py", FLAKY));
        api.deployFlow(flow("console/attempts-live", "{max_retries: 2, delay: 1h}"), Map.of("flaky.py", FLAKY));
        api.deployScript("console/flaky.py", FLAKY);
        String live = api.submit(Map.of("target", Map.of("flow", "console/attempts-live")));
        String liveScript = api.submit(script("1h"));
        JsonNode ofFlow = api.runToEnd(Map.of("target", Map.of("flow", "console/attempts")));
        JsonNode ofScript = api.runToEnd(script("300ms"));

        JsonNode seen = chromium.run(
                "console_attempts.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "flowRun",
                        ofFlow.path("id").asText(),
                        "scriptRun",
                        ofScript.path("id").asText(),
                        "script",
                        "console/flaky.py",
                        "liveRun",
                        live,
                        "liveScriptRun",
                        liveScript),
                PICTURES);

        for (String run : List.of(live, liveScript)) {
            api.post("/api/v1/runs/" + run + ":cancel", Map.of()).ok();
        }
        assertThat(ofFlow.path("state").asText()).isEqualTo("succeeded");
        assertThat(ofScript.path("state").asText()).isEqualTo("succeeded");
        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }

    private static Map<String, Object> script(String delay) {
        return Map.of(
                "target", Map.of("script", "console/flaky.py"), "retry", Map.of("max_retries", 2, "delay", delay));
    }

    private static String flow(String name, String retry) {
        return """
                millrace: v1
                name: %s
                steps:
                  - {id: flaky, script: flaky.py, retry: %s}
                  - {id: calm, needs: [], value: 1}
                """.formatted(name, retry);
    }
}
