package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job that exceeds a limit ends with an error that names it, and its neighbors on the same worker go on. */
@ExtendWith(SharedInstallation.class)
final class LimitsTest {
    private static final Map<String, String> GREEDY =
            Map.of("limits/bomb.py", """
            # millrace: processes=30
            import os
            def main():
                while True:
                    os.fork()
            """, "limits/hog.py", """
            # millrace: memory=200MiB
            import subprocess, sys
            HOG = "import time; kept = bytearray(80 << 20); time.sleep(600)"
            def main():
                for hog in [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(4)]:
                    hog.wait()
            """, "limits/hog.ts", """
            // millrace: cpu=1s
            export function main() {
              while (true);
            }
            """);

    @BeforeAll
    static void deploy(Api api) {
        GREEDY.forEach(api::deployScript);
        api.deployScript("limits/neighbor.py", """
                import os, subprocess
                def main(n: int):
                    return [n, subprocess.run(["echo", str(n)], capture_output=True, text=True).stdout.strip()]
                """);
    }

    @ParameterizedTest
    @CsvSource({"limits/bomb.py, processes", "limits/hog.py, memory", "limits/hog.ts, cpu"})
    void aGreedyJobEndsAndItsNeighborsGoOn(String script, String limit, Api api) {
        String greedy = api.submit(run(script, Map.of()));
        List<String> neighbors = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            neighbors.add(api.submit(run("limits/neighbor.py", Map.of("n", i))));
        }

        for (int i = 0; i < neighbors.size(); i++) {
            assertThat(api.awaitEnd(neighbors.get(i)).path("output").toString()).isEqualTo("[" + i + ",\"" + i + "\"]");
        }
        JsonNode error = api.awaitEnd(greedy).path("error");
        assertThat(error.path("name").asText()).isEqualTo("LimitExceeded");
        assertThat(error.path("message").asText()).contains("more than its limit `" + limit + "` of ");
    }

    private static Map<String, Object> run(String script, Map<String, Object> input) {
        return Map.of("target", Map.of("script", script), "input", input);
    }
}
