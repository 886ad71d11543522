package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.ClusterPlan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills services behind a mutex that user code holds: no job waits for it forever, and the next holder has a
 * higher fence.
 */
@Tag("nightly")
final class MutexCrashTest {
    /**
     * Acquires the mutex, arrives at the gate, and returns its fence and whether it still held the mutex at the end.
     */
    private static final String HOLDER = """
            import os, time

            def main(ctx, name: str, ttl: float, arrivals: str, opened: str):
                lock = ctx.lock(name, ttl=ttl)
                with open(arrivals, "a") as file:
                    file.write(f"{os.getpid()}\\n")
                while not os.path.exists(opened):
                    time.sleep(0.01)
                return {"fence": lock.fence, "held": lock.release()}
            """;

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("mutex-crash", ClusterPlan.small());
        installation.api().deployScript("fault/holder.py", HOLDER);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void aMutexRunsOutAlthoughTheSchedulerWasKilled(@TempDir Path folder, @TempDir Path other) {
        var first = new Gate(folder);
        String firstRun = hold("runs-out", 2, first);
        first.awaitArrivals(1);

        restart();
        var second = new Gate(other);
        String secondRun = hold("runs-out", 60, second);
        second.awaitArrivals(1);
        first.open();
        JsonNode lost = end(firstRun);
        second.open();
        JsonNode taken = end(secondRun);

        assertThat(taken.path("fence").asLong())
                .isGreaterThan(lost.path("fence").asLong());
        assertThat(lost.path("held").asBoolean()).isFalse();
        assertThat(taken.path("held").asBoolean()).isTrue();
    }

    @Test
    void aMutexThatIsHeldStaysHeldOverTheDeathOfTheScheduler(@TempDir Path folder, @TempDir Path other) {
        var first = new Gate(folder);
        String firstRun = hold("stays", 120, first);
        first.awaitArrivals(1);

        restart();
        var second = new Gate(other);
        second.open();
        String secondRun = hold("stays", 120, second);
        first.open();
        JsonNode kept = end(firstRun);
        JsonNode next = end(secondRun);

        assertThat(kept.path("held").asBoolean()).isTrue();
        assertThat(next.path("fence").asLong()).isGreaterThan(kept.path("fence").asLong());
    }

    @Test
    void theNextAttemptTakesTheMutexOfAWorkerThatWasKilledOver(@TempDir Path folder) {
        var gate = new Gate(folder);
        String run = hold("taken-over", 120, gate);
        gate.awaitArrivals(1);

        installation.cluster().scheduler(0).kill();
        installation.cluster().worker(0).kill();
        installation.cluster().scheduler(0).start();
        installation.cluster().worker(0).start();
        gate.awaitArrivals(2);
        gate.open();

        assertThat(end(run).path("held").asBoolean()).isTrue();
        assertThat(installation.api().steps(run).getFirst().path("attempt").asInt())
                .isEqualTo(2);
    }

    private static void restart() {
        installation.cluster().scheduler(0).kill();
        installation.cluster().scheduler(0).start();
        installation.api().awaitReady();
    }

    private static String hold(String name, int ttlSeconds, Gate gate) {
        var input = new HashMap<String, Object>(gate.input());
        input.put("name", name);
        input.put("ttl", ttlSeconds);
        return installation.api().submit(Map.of("target", Map.of("script", "fault/holder.py"), "input", input));
    }

    private static JsonNode end(String run) {
        Api api = installation.api();
        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo("succeeded");
        return ended.path("output");
    }
}
