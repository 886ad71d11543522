package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker that keeps processes for a script and for those of a flow, while their versions change. */
@Tag("nightly")
final class DedicatedWorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RUNS_AT_ONCE = 10;
    private static final int DEPLOYMENTS = 5;

    /** Questions after a deployment: one for each target, one more for the new version, and again for its packages. */
    private static final int QUESTIONS_MAX = 8;

    /** The worker asks for each of its three targets from time to time, to heal what it has missed. */
    private static final int HEALING_QUESTIONS = 3;

    private static final int HEALING_SECONDS = 30;

    private static final int METRICS_PORT = FreePort.next();
    private static final Pattern QUESTIONS =
            Pattern.compile("(?m)^millrace_grpc_calls_total\\{[^}]*GetDedicatedScripts[^}]*} ([0-9.]+)");

    private static Installation installation;
    private static Api api;

    @BeforeAll
    static void start() {
        installation = Installation.start(
                "dedicated",
                ClusterPlan.small()
                        .withWorkers()
                        .with("millrace.scheduler.metrics-port", Integer.toString(METRICS_PORT))
                        .with("millrace.worker.heartbeat-interval", "250ms")
                        .with("millrace.worker.session-ttl", "4s"));
        api = installation.api();
        deploy("shop/order.py", order(0));
        api.deployFlow("""
                millrace: v1
                name: twice
                steps:
                  - {id: first, script: first.py}
                  - {id: second, script: second.ts}
                output: ["${{ steps.first.result }}", "${{ steps.second.result }}"]
                """, Map.of("first.py", pid("first"), "second.ts", "export const main = () => Deno.pid;\n"));
        installation
                .cluster()
                .startWorker(
                        "dedicated",
                        0,
                        Map.of("millrace.worker.dedicated", "shop/order.py=2,default:flow:twice,shop/later.py"));
        api.awaitWorkers("dedicated");
        Await.until(
                "the worker takes jobs",
                PATIENCE,
                () -> worker().path("slot_groups")
                        .path(0)
                        .path("pause_reason")
                        .asText()
                        .isEmpty());
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void theFirstJobRunsInAProcessThatWasReadyAndLaterPathsArePickedUp() {
        Await.until("four processes wait", PATIENCE, () -> processes().size() == 4);
        assertThat(processes()).allSatisfy(process -> {
            assertThat(process.path("state").asText()).isEqualTo("idle");
            assertThat(process.path("jobs_ended").asInt()).isZero();
        });
        Set<Long> ready = pids();

        JsonNode output = api.runToEnd(Map.of("target", Map.of("flow", "twice")));

        assertThat(output.path("state").asText()).as(output.toString()).isEqualTo("succeeded");
        assertThat(output.path("output"))
                .hasSize(2)
                .allSatisfy(pid -> assertThat(ready).contains(pid.asLong()));
        deploy("shop/later.py", pid("later"));
        Await.until("a process of the later script waits", PATIENCE, () -> paths().contains("shop/later.py"));
    }

    @Test
    void aVersionIsReplacedUnderLoadWithoutAFailedJobAndWithoutPolling() {
        long before = questions();
        long startNanos = System.nanoTime();
        List<String> runs = new ArrayList<>();
        for (int version = 1; version <= DEPLOYMENTS; version++) {
            deploy("shop/order.py", order(version));
            String newest = newest();
            Await.until("processes of version " + version + " are kept, while jobs run", PATIENCE, () -> {
                for (int i = 0; i < RUNS_AT_ONCE; i++) {
                    runs.add(api.submit(
                            Map.of("target", Map.of("script", "shop/order.py"), "input", Map.of("n", runs.size()))));
                }
                return versions().filter(newest::equals).count() >= 2;
            });
        }

        List<Integer> results = new ArrayList<>();
        for (String run : runs) {
            JsonNode ended = api.awaitEnd(run);
            assertThat(ended.path("state").asText()).as(ended.toString()).isEqualTo("succeeded");
            assertThat(ended.path("attempt").asInt(1)).isEqualTo(1);
            results.add(ended.path("output").asInt());
        }
        assertThat(results)
                .as("the inputs, in their order")
                .isSorted()
                .hasSize(runs.size())
                .doesNotHaveDuplicates();
        String newest = newest();
        Await.until(
                "processes of the newest version wait, and none of others",
                PATIENCE,
                () -> versions().allMatch(newest::equals) && versions().count() >= 2);
        long healings = 1 + Duration.ofNanos(System.nanoTime() - startNanos).toSeconds() / HEALING_SECONDS;
        assertThat(questions() - before)
                .as("questions for dedicated scripts")
                .isBetween(1L, DEPLOYMENTS * QUESTIONS_MAX + healings * HEALING_QUESTIONS);
    }

    /** How often the worker has asked for the versions that it is to keep. */
    private static long questions() {
        HttpRequest page = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + METRICS_PORT + "/metrics"))
                .build();
        try {
            return QUESTIONS
                    .matcher(HttpClient.newHttpClient()
                            .send(page, BodyHandlers.ofString())
                            .body())
                    .results()
                    .mapToLong(found -> (long) Double.parseDouble(found.group(1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String newest() {
        return api.get("/api/v1/scripts/shop/order.py").ok().path("hash").asText();
    }

    /** The version of each process of the script. */
    private static Stream<String> versions() {
        return processes().stream()
                .filter(process -> process.path("script").asText().equals("shop/order.py"))
                .map(process -> process.path("version").asText());
    }

    private static String order(int version) {
        return "import time\n\ndef main(n):\n    time.sleep(0.002)\n    return n\n# " + version + "\n";
    }

    private static String pid(String name) {
        return "import os\n\ndef main():\n    return os.getpid()\n# " + name + "\n";
    }

    /** With a schema of its own, so that no run reads the signature. */
    private static void deploy(String path, String content) {
        api.post("/api/v1/scripts", Map.of("path", path, "content", content, "input_schema", Map.of("type", "object")))
                .ok();
    }

    private static JsonNode worker() {
        return api.get("/api/v1/workers?processes=true").ok().path("items").path(0);
    }

    private static List<JsonNode> processes() {
        return StreamSupport.stream(worker().path("processes").spliterator(), false)
                .toList();
    }

    private static Set<Long> pids() {
        return processes().stream().map(process -> process.path("pid").asLong()).collect(Collectors.toSet());
    }

    private static Set<String> paths() {
        return processes().stream()
                .map(process -> process.path("script").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
