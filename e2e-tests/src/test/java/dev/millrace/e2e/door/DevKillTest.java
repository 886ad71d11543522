package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worker of {@code millrace dev} is killed on request, and no run is lost. */
@Tag("nightly")
final class DevKillTest {
    private static final Path PICTURES = Path.of("target", "console-gone");

    /** Notes each start, and sleeps until the second one. */
    private static final String TWICE = """
            import time

            def main(starts: str):
                with open(starts, "a+") as file:
                    file.write("started\\n")
                    file.seek(0)
                    count = len(file.readlines())
                if count == 1:
                    time.sleep(600)
                return count
            """;

    @Test
    void theJobOfAKilledWorkerRunsAgain(@TempDir Path folder, @TempDir Path output) {
        Path starts = folder.resolve("starts");
        try (DevProcess dev = DevProcess.start(output)) {
            Api api = new Api(dev.gatewayUrl());
            Cli cli = new Cli(dev.gatewayUrl());
            api.deployScript("door/twice.py", TWICE);
            String before = session(api);
            String run = api.submit(
                    Map.of("target", Map.of("script", "door/twice.py"), "input", Map.of("starts", starts.toString())));
            Await.until("the job has started", Api.PATIENCE, () -> Files.exists(starts), dev::output);

            Cli.Outcome killed = cli.run("workers", "kill", "local");

            assertThat(killed.exitCode()).as("%s", killed).isZero();
            JsonNode ended = api.awaitEnd(run);
            assertThat(ended.path("state").asText()).as("%s", ended).isEqualTo("succeeded");
            assertThat(ended.path("output").asInt()).as("starts of the job").isEqualTo(2);
            assertThat(session(api)).as("the worker that took its place").isNotEqualTo(before);
            assertThat(cli.run("workers", "kill", "nobody").exitCode())
                    .as("an unknown worker")
                    .isNotZero();
        }
    }

    @Test
    void theConsoleShowsAKilledWorkerAsGoneBesideTheOneThatTakesItsName(@TempDir Path output) {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(output)) {
            JsonNode seen = chromium.run(
                    "console_gone.mjs", Map.of("gateway", dev.gatewayUrl().toString()), PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
        }
    }

    private static String session(Api api) {
        JsonNode workers = api.get("/api/v1/workers").ok().path("items");
        return workers.path(workers.size() - 1).path("session_id").asText();
    }
}
