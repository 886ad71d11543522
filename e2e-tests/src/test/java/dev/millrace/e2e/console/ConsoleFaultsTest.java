package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at what pages of the console say while calls fail, or while nobody answers, and at how they come back. */
@Tag("nightly")
final class ConsoleFaultsTest {
    private static final Path PICTURES = Path.of("target", "console-faults");
    private static final String FLOW = "console/long";
    private static final int LINES = 40;
    /** Of nine: all of them on all pages take more than five minutes, so each seed tries others. */
    private static final int FAULTS_PER_PAGE = 3;

    /** Writes half of its lines, waits for a file, and writes the rest. */
    private static final String SCRIPT = """
            import os
            import time


            def main(path, lines):
                for line in range(1, lines + 1):
                    print(f"line {line} of the script", flush=True)
                    while line == lines // 2 and not os.path.exists(path):
                        time.sleep(0.05)
            """;

    private static @TempDir Path folder;
    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("console-faults", ClusterPlan.small());
    }

    @AfterAll
    static void close() {
        installation.close();
    }

    @Test
    void saysWhatIsWrongAndComesBack() {
        Chromium chromium = Chromium.findOrSkip();

        JsonNode seen = chromium.run(
                "console_faults.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "seed",
                        Seed.random("The test of faults").nextInt(),
                        "faultsPerPage",
                        FAULTS_PER_PAGE),
                PICTURES);

        System.out.println("Pages were opened with failing calls " + seen.path("attempts") + " times.");
        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }

    @Test
    void showsWhatWentOnWhileTheGatewayWasDead() throws IOException {
        Chromium chromium = Chromium.findOrSkip();
        Api api = installation.api();
        Path file = folder.resolve("go");
        api.deployFlow("""
                millrace: v1
                name: %s
                inputs: {path: {type: string, default: %s}, lines: {type: integer, default: %d}}
                steps:
                  - {id: long, script: long.py, input: {path: "${{ inputs.path }}", lines: "${{ inputs.lines }}"}}
                  - {id: after, value: 1}
                  - {id: last, script: long.py, input: {path: "${{ inputs.path }}", lines: 0}}
                """.formatted(FLOW, file, LINES), Map.of("long.py", SCRIPT));
        String run = api.submit(Map.of("target", Map.of("flow", FLOW)));
        Await.until(
                "the script waits",
                Api.PATIENCE,
                () -> api.logText(run, "stdout").contains("line 20 of"));

        HttpServer control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        on(control, "/kill", () -> installation.cluster().gateway().kill());
        on(control, "/go-on", () -> goOn(file, run));
        on(control, "/start", () -> installation.cluster().gateway().start());
        control.start();
        try {
            Map<String, Object> task = new HashMap<>(Map.of("run", run, "flow", FLOW, "lines", LINES));
            task.put("gateway", installation.cluster().gatewayUrl().toString());
            task.put("control", "http://localhost:" + control.getAddress().getPort());
            task.put("steps", List.of("long", "after", "last"));
            JsonNode seen = chromium.run("console_killed.mjs", task, PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
        } finally {
            control.stop(0);
        }
    }

    /** Lets the script end, and waits until the run has, which only the database can tell. */
    private static void goOn(Path file, String run) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be written.", e);
        }
        Await.until("the run has ended", Api.PATIENCE, () -> hasEnded(run));
    }

    private static boolean hasEnded(String run) {
        try (Connection connection = installation.postgres().connect();
                var query = connection.prepareStatement(
                        "select exists (select from job_history where run_id = ?::uuid and step_key = '')")) {
            query.setString(1, run);
            try (var row = query.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        } catch (SQLException e) {
            throw new AssertionError("The history cannot be read.", e);
        }
    }

    private static void on(HttpServer server, String path, Runnable act) {
        server.createContext(path, exchange -> {
            int status = 200;
            try {
                act.run();
            } catch (RuntimeException | AssertionError e) {
                status = 500;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }
}
