package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fate of jobs whose worker or process stops, dies or leaves. */
@Tag("nightly")
final class WorkerFaultTest {
    private static final Duration END_OF_ORPHANS = Duration.ofSeconds(60);

    /** The first attempt hides a child and waits; the second reports whether the child is alive. */
    private static final String HIDES_A_CHILD = """
            import os, subprocess, time
            def main(folder):
                place = os.path.join(folder, "child")
                if os.path.exists(place):
                    with open(place) as file:
                        alive = os.path.exists(f"/proc/{int(file.read())}")
                    return "the child of attempt 1 " + ("is alive" if alive else "has ended")
                child = f"trap '' TERM; echo $$ > {place}.new; mv {place}.new {place}; exec sleep 600"
                subprocess.run(["setsid", "-f", "env", "-i", "sh", "-c", child])
                time.sleep(600)
            """;

    /** Reads its parent's environment, which names the worker's folder, for example, and may hold secrets. */
    private static final String READS_ITS_PARENT_IN_PYTHON = """
            import os
            def main():
                ancestors = [os.getppid()]
                while name(ancestors[-1]) != "java":  # A template may stand between them.
                    ancestors.append(int(stat(ancestors[-1])[1].split()[1]))
                return {what: sorted({read(pid, what) for pid in ancestors}) for what in ("environ", "mem")}
            def stat(pid):
                with open(f"/proc/{pid}/stat") as file:
                    name, _, fields = file.read().partition("(")[2].rpartition(") ")
                return name, fields
            def name(pid):
                return stat(pid)[0]
            def read(pid, name):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        return str(file.read(64)) if name == "environ" else "opened"
                except OSError as error:
                    return type(error).__name__
            """;

    private static final String READS_ITS_PARENT_IN_DENO = """
            export async function main() {
              try {
                return await Deno.readTextFile(`/proc/${Deno.ppid}/environ`);
              } catch (error) {
                return (error as Error).name;
              }
            }
            """;

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
    void beginsNothingOfWhatCameWhileItWasFrozenOnceOthersHaveIt(@TempDir Path folder, @TempDir Path second) {
        Api api = installation.api();
        var warm = new Gate(folder);
        warm.open();
        var frozen = installation.cluster().worker(0);
        var other = installation.cluster().worker(1);
        other.terminate();
        assertThat(api.awaitEnd(submit(warm)).path("state").asText()).isEqualTo("succeeded");
        var gate = new Gate(second);
        gate.open();

        frozen.signal("STOP");
        String run;
        try {
            // Its session is alive, so it gets the job.
            run = submit(gate);
            Await.until(
                    "the job is leased to the frozen worker",
                    Api.PATIENCE,
                    () -> step(run).path("worker").asText().equals(frozen.name()),
                    () -> step(run).toString());
            other.start();
            assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        } finally {
            frozen.signal("CONT");
        }

        api.awaitWorkers("worker-0", "worker-1");
        assertThat(gate.arrivals()).hasSize(1);
        assertThat(step(run).path("attempt").asInt())
                .as("an attempt that may have begun elsewhere is over")
                .isEqualTo(2);
        assertThat(step(run).path("worker").asText()).isEqualTo(other.name());
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

    @Test
    void runsNothingOfTheFirstAttemptBesideTheSecond(@TempDir Path folder) {
        Api api = installation.api();
        api.deployScript("fault/hides.py", HIDES_A_CHILD);
        String run = api.submit(
                Map.of("target", Map.of("script", "fault/hides.py"), "input", Map.of("folder", folder.toString())));
        Await.until(
                "the job has started a child with a session and an environment of its own",
                Api.PATIENCE,
                () -> Files.exists(folder.resolve("child")),
                () -> api.run(run).toString());
        var worker = installation.cluster().worker(indexOfWorkerOf(run));

        worker.kill();

        assertThat(api.awaitEnd(run).path("output").asText()).isEqualTo("the child of attempt 1 has ended");
        assertThat(step(run).path("attempt").asInt()).isEqualTo(2);
        worker.start();
        api.awaitWorkers("worker-0", "worker-1");
    }

    @Test
    void keepsItsEnvironmentAndMemoryFromScripts() {
        Api api = installation.api();
        api.deployScript("fault/reads.py", READS_ITS_PARENT_IN_PYTHON);
        api.deployScript("fault/reads.ts", READS_ITS_PARENT_IN_DENO);

        JsonNode python = api.runToEnd(Map.of("target", Map.of("script", "fault/reads.py"), "input", Map.of()));
        JsonNode deno = api.runToEnd(Map.of("target", Map.of("script", "fault/reads.ts"), "input", Map.of()));

        assertThat(python.path("output").toString())
                .isEqualTo("{\"environ\":[\"PermissionError\"],\"mem\":[\"PermissionError\"]}");
        assertThat(deno.path("output").asText()).isEqualTo("NotCapable");
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

    /** Slots of a worker; 0 once it has gone. */
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
