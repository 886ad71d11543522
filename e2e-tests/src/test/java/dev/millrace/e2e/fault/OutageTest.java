package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A time without schedulers or database, however long, costs a worker nothing: jobs that run meanwhile count. */
@Tag("nightly")
final class OutageTest {
    /** Twice the worker's delay between attempts to reconnect. */
    private static final Duration SESSION_TTL = Duration.ofSeconds(6);
    /** Long enough to end every session. */
    private static final Duration OUTAGE = SESSION_TTL.plusSeconds(1);

    private static final ClusterPlan PLAN =
            FaultPlans.SHORT_LEASES.with("millrace.worker.session-ttl", SESSION_TTL.toSeconds() + "s");

    /** Waits at a gate and prints all the time, so that there are logs that cannot be stored. */
    private static final String PRINTING_GATE = """
            import os, time

            def main(arrivals: str, opened: str):
                with open(arrivals, "a") as file:
                    file.write(f"{os.getpid()}\\n")
                while not os.path.exists(opened):
                    print("still here", flush=True)
                    time.sleep(0.2)
                return os.getpid()
            """;

    private static EmbeddedServer server;
    private static Installation installation;

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start();
        installation = Installation.start("outage", server.createDatabase(), PLAN);
        installation.api().deployScript("outage/gate.py", PRINTING_GATE);
    }

    @AfterAll
    static void stop() {
        installation.close();
        server.close();
    }

    @Test
    void countsWhatRanWhilePostgresWasDown(@TempDir Path during, @TempDir Path after) {
        countsWhatRan(server::kill, server::restart, during, after);
    }

    @Test
    void countsWhatRanWhilePostgresWasFrozen(@TempDir Path during, @TempDir Path after) {
        countsWhatRan(server::freeze, server::thaw, during, after);
    }

    @Test
    void countsWhatRanWhileNoSchedulerRan(@TempDir Path during, @TempDir Path after) {
        ServiceProcess scheduler = installation.cluster().scheduler(0);
        countsWhatRan(scheduler::kill, scheduler::start, during, after);
    }

    /** Runs two jobs through an outage; one ends during it, the other after it. */
    private static void countsWhatRan(Runnable begin, Runnable end, Path during, Path after) {
        Api api = installation.api();
        var within = new Gate(during);
        var beyond = new Gate(after);
        String first = submit(within);
        String second = submit(beyond);
        within.awaitArrivals(1);
        beyond.awaitArrivals(1);

        begin.run();
        try {
            pass(OUTAGE.dividedBy(2));
            within.open();
            pass(OUTAGE.dividedBy(2));
        } finally {
            end.run();
        }

        assertEndedAtOnce(api.awaitEnd(first), within);
        beyond.open();
        assertEndedAtOnce(api.awaitEnd(second), beyond);
    }

    private static void assertEndedAtOnce(JsonNode run, Gate gate) {
        assertThat(gate.arrivals()).as("processes that ran %s", run).hasSize(1);
        assertThat(run.path("output").asLong())
                .as("output of %s", run)
                .isEqualTo(gate.arrivals().getFirst());
        List<JsonNode> steps = installation.api().steps(run.path("id").asText());
        assertThat(steps)
                .singleElement()
                .satisfies(step -> assertThat(step.path("attempt").asInt())
                        .as("attempt of %s", step)
                        .isEqualTo(1));
    }

    private static String submit(Gate gate) {
        return installation.api().submit(Map.of("target", Map.of("script", "outage/gate.py"), "input", gate.input()));
    }

    /** Waits for a fixed time, which is the only end of an outage. */
    private static void pass(Duration time) {
        long begin = System.nanoTime();
        Await.until("time passes", time.multipliedBy(2), () -> System.nanoTime() - begin >= time.toNanos());
    }
}
