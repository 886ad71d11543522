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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Finds iterations of a loop of some thousands in a browser, which never loads them all. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleLoopsTest {
    private static final Path PICTURES = Path.of("target", "console-loops");
    private static final int ITERATIONS = 3_000;
    private static final List<Integer> FAILED = List.of(7, 1_234, 2_345);

    @Test
    void foldsALargeLoopAndFindsItsIterations(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployFlow("""
                millrace: v1
                name: console/loop
                inputs: {items: {type: array}}
                steps:
                  - id: each
                    for_each: "${{ inputs.items }}"
                    parallelism: 50
                    skip_failures: true
                    steps:
                      - {id: check, if: "${{ item.bad }}", script: check.py, input: {n: "${{ item.n }}"}}
                      - {id: keep, value: "${{ item.n }}"}
                """, Map.of("check.py", "def main(n):\n    raise ValueError(f'Item {n} is broken.')\n"));
        List<Map<String, Object>> items = IntStream.range(0, ITERATIONS)
                .mapToObj(n -> Map.<String, Object>of("n", n, "bad", FAILED.contains(n)))
                .toList();
        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "console/loop"), "input", Map.of("items", items)));

        JsonNode seen = chromium.run(
                "console_loops.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "run",
                        run.path("id").asText(),
                        "iterations",
                        ITERATIONS,
                        "failed",
                        FAILED),
                PICTURES);

        assertThat(run.path("state").asText()).isEqualTo("succeeded");
        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
