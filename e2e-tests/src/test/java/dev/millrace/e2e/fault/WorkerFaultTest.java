package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of jobs whose worker or process stops, dies or leaves. */
final class WorkerFaultTest {
    private static final Duration END_OF_ORPHANS = Duration.ofSeconds(15);

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start("worker-fault", FaultPlans.SHORT_LEASES.withWorkers(0, 0));
        installation.api().deployScript("fault/gate.py", Gate.PYTHON);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void failsOrRetriesExactlyTheJobWhoseProcessWasKilled(@TempDir Path folder, @TempDir Path other) {
        Api api = installation.api();
        var victim = new Gate(folder);
        var bystander = new Gate(other);
        String bystanderRun = submit(bystander);
        bystander.awaitArrivals(1);
        String run = api.submit(Map.of(
                "target", Map.of("script", "fault/gate.py"),
                "input", victim.input(),
                "retry", Map.of("max_retries", 1, "delay", "10ms")));
        victim.awaitArrivals(1);

        Signals.send("KILL", victim.arrivals().getFirst());

        victim.awaitArrivals(2);
        victim.open();
        assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        assertThat(step(run).path("attempt").asInt()).isEqualTo(2);
        bystander.open();
        assertThat(api.awaitEnd(bystanderRun).path("state").asText()).isEqualTo("succeeded");
        assertThat(bystander.arrivals()).hasSize(1);
    }

    @Test
    void saysWhichSignalKilledTheProcess(@TempDir Path folder) {
        var gate = new Gate(folder);
        String run = submit(gate);
        gate.awaitArrivals(1);

        Signals.send("KILL", gate.arrivals().getFirst());

        JsonNode ended = installation.api().awaitEnd(run);
        assertThat(ended.path("error").path("name").asText()).isEqualTo("ProcessExited");
        assertThat(ended.path("error").path("message").asText()).contains("SIGKILL");
    }

    @Test
    void refusesTheResultOfAWorkerThatStoppedPastItsLease(@TempDir Path folder, @TempDir Path second) {
        Api api = installation.api();
        var gate = new Gate(folder);
        String run = submit(gate);
        gate.awaitArrivals(1);
        var stopped = installation.cluster().worker(indexOfWorkerOf(run));
        var other = installation.cluster().worker(1 - indexOfWorkerOf(run));

        stopped.signal("STOP");
        try {
            gate.awaitArrivals(2);
            gate.open();
            assertThat(api.awaitEnd(run).path("output").asLong())
                    .isEqualTo(gate.arrivals().getLast());
        } finally {
            stopped.signal("CONT");
        }

        assertThat(api.run(run).path("output").asLong())
                .isEqualTo(gate.arrivals().getLast());
        assertThat(step(run).path("worker").asText()).isEqualTo(other.name());
        api.awaitWorkers("worker-0", "worker-1");
        other.terminate();
        var later = new Gate(second);
        later.open();
        String next = submit(later);
        assertThat(api.awaitEnd(next).path("state").asText()).isEqualTo("succeeded");
        assertThat(step(next).path("worker").asText()).isEqualTo(stopped.name());
        assertThat(gate.arrivals()).hasSize(2);
        other.start();
        api.awaitWorkers("worker-0", "worker-1");
    }

    @Test
    void finishesWhatItRunsBeforeItStops(@TempDir Path folder) {
        Api api = installation.api();
        var gate = new Gate(folder);
        String run = submit(gate);
        gate.awaitArrivals(1);
        var worker = installation.cluster().worker(indexOfWorkerOf(run));

        worker.signal("TERM");
        Await.until(
                "the worker takes no more jobs",
                Api.PATIENCE,
                () -> slotsOf(worker.name()) == 0,
                () -> api.workers().toString());
        gate.open();

        assertThat(worker.awaitEnd(Duration.ofSeconds(30))).as("exit code").isZero();
        assertThat(api.awaitEnd(run).path("output").asLong())
                .isEqualTo(gate.arrivals().getFirst());
        assertThat(gate.arrivals()).hasSize(1);
        worker.start();
        api.awaitWorkers("worker-0", "worker-1");
    }

    @Test
    void leavesNoProcessBehindWhenTheWorkerIsKilled(@TempDir Path folder) {
        Api api = installation.api();
        var gate = new Gate(folder);
        String run = submit(gate);
        gate.awaitArrivals(1);
        var worker = installation.cluster().worker(indexOfWorkerOf(run));
        List<Long> orphans = gate.arrivals();

        worker.kill();

        Await.until(
                "the killed worker's processes have ended",
                END_OF_ORPHANS,
                () -> orphans.stream()
                        .noneMatch(pid -> ProcessHandle.of(pid)
                                .map(ProcessHandle::isAlive)
                                .orElse(false)));
        gate.awaitArrivals(2);
        gate.open();
        assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        worker.start();
        api.awaitWorkers("worker-0", "worker-1");
    }

    private static String submit(Gate gate) {
        return installation.api().submit(Map.of("target", Map.of("script", "fault/gate.py"), "input", gate.input()));
    }

    private static JsonNode step(String runId) {
        return installation.api().steps(runId).getFirst();
    }

    private static int indexOfWorkerOf(String runId) {
        String name = step(runId).path("worker").asText();
        assertThat(name).as("worker of %s", step(runId)).startsWith("worker-");
        return Integer.parseInt(name.substring("worker-".length()));
    }

    /** Room of a worker; none once it has gone. */
    private static int slotsOf(String worker) {
        return installation.api().workers().stream()
                .filter(candidate -> candidate.path("name").asText().equals(worker))
                .mapToInt(WorkerFaultTest::slots)
                .sum();
    }

    private static int slots(JsonNode worker) {
        int slots = 0;
        for (JsonNode group : worker.path("slot_groups")) {
            slots += group.path("slots").asInt();
        }
        return slots;
    }
}
