package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients and workers of any language that know two schedulers work with whichever is alive. The gateway knows one. */
@Tag("nightly")
final class ListedSchedulersTest {
    private static final Path HOME = MillraceHome.find().path();
    private static final Map<String, Object> ECHO =
            Map.of("target", Map.of("handler", "echo"), "input", Map.of("text", "x"));

    private static final Duration START_PATIENCE = Duration.ofMinutes(3);

    private static Installation installation;
    private static Cluster cluster;
    private static String both;

    @BeforeAll
    static void start() {
        installation = Installation.start(
                "listed-schedulers", ClusterPlan.small().withSchedulers(2).withWorkers());
        cluster = installation.cluster();
        both = "localhost:" + cluster.schedulerPort(0) + ",localhost:" + cluster.schedulerPort(1);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void clientsGoOn() {
        List<Supplier<PythonProgram>> clients = List.of(
                () -> PythonProgram.start(
                        Map.of("MILLRACE_SCHEDULER_TARGET", both), "e2e-tests/src/test/python/submit_many.py"),
                () -> PythonProgram.startNode(both, "submit_many.js"),
                () -> PythonProgram.startJava(
                        both,
                        HOME.resolve("e2e-tests/src/test/programs-java/SubmitMany.java")
                                .toString()));
        for (Supplier<PythonProgram> start : clients) {
            try (PythonProgram client = start.get()) {
                assertSubmits(client, 1);
                for (int killed = 0; killed < 2; killed++) {
                    cluster.scheduler(killed).kill();
                    assertSubmits(client, 2 + killed);
                    restart(killed);
                }
            }
        }
    }

    @Test
    void workersGoOn() {
        List<Supplier<PythonProgram>> workers = List.of(
                () -> PythonProgram.start(Map.of(), "e2e-tests/conformance/worker.py", both),
                () -> PythonProgram.startNode("", "conformance_worker.js", both));
        for (Supplier<PythonProgram> start : workers) {
            cluster.scheduler(0).kill();
            try (PythonProgram _ = start.get()) {
                restart(0);
                assertEchoes();
                cluster.scheduler(1).kill();
                assertEchoes();
                restart(1);
            }
        }
    }

    private static void assertSubmits(PythonProgram client, int number) {
        client.writeLine(Integer.toString(number));
        assertThat(client.awaitLine()).isEqualTo(Integer.toString(number));
    }

    private static void assertEchoes() {
        assertThat(installation.api().runToEnd(ECHO).path("state").asText()).isEqualTo("succeeded");
    }

    private static void restart(int scheduler) {
        cluster.scheduler(scheduler).start();
        Await.until(
                "scheduler " + scheduler + " serves", START_PATIENCE, () -> serves(cluster.schedulerPort(scheduler)));
        installation.api().awaitReady();
    }

    private static boolean serves(int port) {
        try (Socket _ = new Socket("localhost", port)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
