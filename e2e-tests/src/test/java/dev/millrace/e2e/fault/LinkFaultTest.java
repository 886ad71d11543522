package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.TcpProxy;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections become silent without ending, and schedulers are down for longer than a session lives: healthy workers
 * lose nothing.
 */
@Tag("nightly")
final class LinkFaultTest {
    private static final int QUICK_RUNS = 6;
    private static final int LINES = 120;
    /** Longer than the gateway's own limit, because tests run on slow machines. */
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(40);

    private static final String QUICK = "def main():\n    return 1\n";
    private static final String CHATTY = """
            import os, time

            def main(arrivals: str, opened: str, lines: int):
                with open(arrivals, "a") as file:
                    file.write(f"{os.getpid()}\\n")
                number = 0
                while number < lines or not os.path.exists(opened):
                    if number < lines:
                        print(f"line {number}", flush=True)
                        number += 1
                    time.sleep(0.02)
                return number
            """;

    private static Installation installation;
    private static Api api;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        installation = Installation.start(
                "link-fault",
                FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers(0).withProxies());
        api = installation.api();
        cluster = installation.cluster();
        api.deployScript("link/gate.py", Gate.PYTHON);
        api.deployScript("link/quick.py", QUICK);
        api.deployScript("link/chatty.py", CHATTY);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @BeforeEach
    void connectToTheFirstScheduler() {
        TcpProxy wire = cluster.workerWire(0);
        wire.retarget(cluster.schedulerPort(0));
        wire.reset();
        api.awaitReady();
        api.awaitWorkers("worker-0");
        assertThat(api.runToEnd(Map.of("target", Map.of("script", "link/quick.py")))
                        .path("state")
                        .asText())
                .isEqualTo("succeeded");
    }

    @Test
    void leavesNoJobBehindWhenASessionMovesFromASilentLinkToAnotherScheduler(@TempDir Path folder) {
        var gate = new Gate(folder);
        String held = api.submit(Map.of("target", Map.of("script", "link/gate.py"), "input", gate.input()));
        gate.awaitArrivals(1);
        cluster.workerWire(0).retarget(cluster.schedulerPort(1));
        cluster.workerWire(0).silenceOpenConnections();

        // The first scheduler still considers the session alive.
        var runs = new ArrayList<String>();
        for (int i = 0; i < QUICK_RUNS; i++) {
            runs.add(api.submit(Map.of("target", Map.of("script", "link/quick.py"))));
        }

        for (String run : runs) {
            assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        }
        gate.open();
        assertThat(api.awaitEnd(held).path("state").asText()).isEqualTo("succeeded");
        assertThat(gate.arrivals())
                .as("attempts of the job that ran all the time")
                .hasSize(1);
    }

    @Test
    void noticesAHalfOpenLinkBetweenGatewayAndScheduler() {
        long start = System.nanoTime();
        cluster.gatewayWire().silenceOpenConnections();

        Await.until("the gateway answers again", NOTICED_WITHIN, () -> {
            try {
                return api.get("/readyz").status() == 200;
            } catch (UncheckedIOException dropped) {
                return false;
            }
        });

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NOTICED_WITHIN);
    }

    @Test
    void repeatsNoWorkAfterAnOutageOfAllSchedulersThatIsLongerThanASessionLives(@TempDir Path folder) {
        var gate = new Gate(folder);
        String run = api.submit(Map.of("target", Map.of("script", "link/gate.py"), "input", gate.input()));
        gate.awaitArrivals(1);

        cluster.scheduler(0).kill();
        cluster.scheduler(1).kill();
        awaitSessionsPastTheirTime();
        cluster.scheduler(0).start();
        cluster.scheduler(1).start();
        api.awaitReady();
        gate.open();

        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("state").asText()).isEqualTo("succeeded");
        assertThat(gate.arrivals()).hasSize(1);
        assertThat(api.steps(run).getFirst().path("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void keepsEachLineThatAJobPrintsWhileItsSchedulerStartsAgain(@TempDir Path folder) {
        var gate = new Gate(folder);
        var input = new HashMap<>(gate.input());
        input.put("lines", LINES);
        String run = api.submit(Map.of("target", Map.of("script", "link/chatty.py"), "input", input));
        gate.awaitArrivals(1);

        cluster.scheduler(0).terminate();
        gate.open();
        cluster.scheduler(0).start();

        assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        String expected =
                IntStream.range(0, LINES).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
        Await.until(
                "all lines are there",
                Api.PATIENCE,
                () -> api.logText(run, "stdout").equals(expected),
                () -> api.logText(run, "stdout"));
        assertThat(gate.arrivals()).hasSize(1);
    }

    private static void awaitSessionsPastTheirTime() {
        Await.until("the session is past its time", Api.PATIENCE, () -> {
            try (Connection connection = installation.postgres().connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select bool_and(expires_at < now() - interval '1 second') from worker_session")) {
                return row.next() && row.getBoolean(1);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
