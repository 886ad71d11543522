package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packages with native parts from the indexes that uv and npm are configured to use, and more scripts than processes. */
@Tag("nightly")
final class HeavyPackagesTest {
    private static final int PROCESSES = 8;
    private static final int SCRIPTS = 50;
    private static final int ROUNDS = 4;

    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;

    @BeforeAll
    static void start() {
        postgres = Postgres.start();
        cluster = Cluster.start(
                "heavy-packages",
                postgres,
                ClusterPlan.small()
                        .withWorkers(0)
                        .with("millrace.worker.processes-max", Integer.toString(PROCESSES))
                        .with("millrace.worker.deno-permissions", "allow-net allow-env allow-sys allow-ffi"));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
        api.awaitWorkers("worker-0");
    }

    @AfterAll
    static void stop() {
        cluster.close();
        postgres.close();
    }

    @Test
    void runsPythonPackagesWithNativeParts() {
        api.deployScript("heavy/table.py", """
                # /// script
                # dependencies = ["numpy", "pandas", "lxml"]
                # ///
                import numpy
                import pandas
                from lxml import etree

                def main(values: list[float]) -> dict:
                    mean = pandas.DataFrame({"value": numpy.array(values)})["value"].mean()
                    return {"mean": float(mean), "root": etree.fromstring("<a><b/></a>")[0].tag}
                """);

        JsonNode run = end("heavy/table.py", Map.of("values", List.of(1, 2, 6)));

        assertThat(run.path("output")).hasToString("{\"mean\":3.0,\"root\":\"b\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"// millrace: allow-ffi", "// millrace: runtime=bun"})
    void runsAnNpmPackageWithANativePart(String annotation) {
        api.deployScript("heavy/checksum.ts", annotation + """

                import { crc32 } from "npm:@node-rs/crc32@1.10.6";

                export function main(text: string) {
                  return [crc32(text), "Bun" in globalThis];
                }
                """);

        JsonNode run = end("heavy/checksum.ts", Map.of("text", "hello"));

        assertThat(run.path("output")).hasToString("[907060870,%s]".formatted(annotation.endsWith("bun")));
    }

    /** Half of the scripts are in Python, half in TypeScript; each job must reach its own script. */
    @Test
    void runsFiftyScriptsInEightProcesses() throws InterruptedException {
        for (int i = 0; i < SCRIPTS; i++) {
            String text = isPython(i)
                    ? "def main(n: int):\n    return [n, %d]\n"
                    : "// millrace: check=off\nexport function main(n: number) {\n  return [n, %d];\n}\n";
            api.deployScript(path(i), text.formatted(i));
        }
        AtomicBoolean ended = new AtomicBoolean();
        List<Integer> counts = new ArrayList<>();
        Thread watch = Thread.ofVirtual().start(() -> {
            while (!ended.get()) {
                counts.add(processes());
            }
        });
        List<String> runs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < SCRIPTS; i++) {
                runs.add(api.submit(Map.of("target", Map.of("script", path(i)), "input", Map.of("n", round))));
            }
        }
        for (int i = 0; i < runs.size(); i++) {
            JsonNode run = api.awaitEnd(runs.get(i));

            assertThat(run.path("output")).hasToString("[%d,%d]".formatted(i / SCRIPTS, i % SCRIPTS));
            assertThat(run.path("attempt").asInt(1)).isOne();
        }
        ended.set(true);
        watch.join();

        assertThat(counts).isNotEmpty().allMatch(count -> count <= PROCESSES).anyMatch(count -> count > 0);
    }

    private static JsonNode end(String path, Map<String, Object> input) {
        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", path), "input", input));
        assertThat(run.path("state").asText()).as(run.toString()).isEqualTo("succeeded");
        return run;
    }

    private static boolean isPython(int number) {
        return number % 2 == 0;
    }

    private static String path(int number) {
        return "many/script%d.%s".formatted(number, isPython(number) ? "py" : "ts");
    }

    /** Number of processes that the worker reported last. */
    private static int processes() {
        return api.get("/api/v1/workers?processes=true")
                .ok()
                .path("items")
                .path(0)
                .path("processes")
                .size();
    }
}
