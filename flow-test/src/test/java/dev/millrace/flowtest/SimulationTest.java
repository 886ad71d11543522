package dev.millrace.flowtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.flowtest.script.ScriptHost;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulationTest {
    /** Each script has a fake. */
    private static final StepScripts NO_SCRIPTS = new StepScripts(new ScriptHost(_ -> {
        throw new AssertionError("a script was run");
    }));

    @TempDir
    private Path folder = Path.of("");

    private SimulationResult run(String flow, String input, Map<String, Fake> fakes, SentSignal... signals)
            throws IOException {
        write("flow.yaml", flow);
        FlowFolder flows = new FlowFolder(folder);
        return new Simulation(flows, fakes, NO_SCRIPTS, 1, Simulation.BEGIN)
                .run(flows.read("flow.yaml"), new Json(input), List.of(signals));
    }

    private void write(String file, String flow) throws IOException {
        Files.writeString(folder.resolve(file), "millrace: v1\n" + flow);
    }

    private static SentSignal signal(String name, String payload, Duration at) {
        return new SentSignal(Optional.of(at), new SentSignal.Target.Name(name), new Json(payload), false, "");
    }

    @Test
    void waitsTakeNoRealTime() throws IOException {
        SimulationResult result = run("steps: [{id: later, wait: {for: 7d}}]", "{}", Map.of());

        assertThat(result.elapsed()).isEqualTo(Duration.ofDays(7));
        assertThat(result.steps()).containsEntry("later", EndStatus.SUCCEEDED);
    }

    @Test
    void retriesWaitAsTheirPolicySays() throws IOException {
        SimulationResult result = run(
                "steps: [{id: try, script: a.py, retry: {max_retries: 3, delay: 10s, multiplier: 2}}]",
                "{}",
                Map.of("a.py", Fake.returning("7").failingFirst(3, "Busy", "not yet")));

        assertThat(result.output()).contains(new Json("7"));
        assertThat(result.elapsed()).isEqualTo(Duration.ofSeconds(70));
        assertThat(result.calls().get("a.py")).hasSize(4);
    }

    @Test
    void anAttemptTimesOutInVirtualTime() throws IOException {
        SimulationResult result = run(
                "steps: [{id: slow, script: a.py, timeout: 30s}]",
                "{}",
                Map.of("slow", Fake.returning("1").taking(Duration.ofDays(1))));

        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.error().message())
                                .isEqualTo("Step \"slow\" failed: The attempt ran longer than its timeout of 30 s."));
        assertThat(result.elapsed()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void theTimeLimitOfTheRunEndsIt() throws IOException {
        SimulationResult result = run("timeout: 1h\nsteps: [{id: later, wait: {for: 7d}}]", "{}", Map.of());

        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.error().name()).isEqualTo("TimedOut"));
        assertThat(result.elapsed()).isEqualTo(Duration.ofHours(1));
        assertThat(result.steps()).containsEntry("later", EndStatus.CANCELED);
    }

    @Test
    void aSignalArrivesAtItsTime() throws IOException {
        SimulationResult result = run(
                "steps: [{id: paid, wait: {signal: payment, timeout: 7d}}]\noutput: ${{ steps.paid.result.payload }}",
                "{}",
                Map.of(),
                signal("payment", "{\"by\":\"card\"}", Duration.ofDays(2)));

        assertThat(result.output()).contains(new Json("{\"by\":\"card\"}"));
        assertThat(result.elapsed()).isEqualTo(Duration.ofDays(2));
    }

    @Test
    void saysWhichStepWaitsForWhatNobodySends() {
        assertThatThrownBy(() -> run("steps: [{id: paid, wait: {signal: payment}}]", "{}", Map.of()))
                .isInstanceOf(SimulationStopped.class)
                .hasMessageContaining("Step \"paid\" of the flow \"flow\" waits for the signal \"payment\".");
    }

    @Test
    void aLoopWithoutEndStopsAtANamedLimit() {
        assertThatThrownBy(() -> run(
                        "steps: [{id: forever, while: true, max_iterations: 100000, steps: [{id: nap, script: a.py}, {id: more, script: a.py}]}]",
                        "{}",
                        Map.of("a.py", Fake.returning("1"))))
                .isInstanceOf(SimulationStopped.class)
                .hasMessageContaining("ACTIONS_MAX");
    }

    @Test
    void runsTenThousandIterations() throws IOException {
        StringBuilder items = new StringBuilder("[0");
        for (int i = 1; i < 10_000; i++) {
            items.append(',').append(i);
        }
        long began = System.nanoTime();
        SimulationResult result = run(
                "inputs: {items: {type: array}}\n"
                        + "steps: [{id: each, for_each: '${{ inputs.items }}', parallelism: 100, script: a.py,"
                        + " input: {n: '${{ item }}'}}]\n"
                        + "output: ${{ steps.each.result.length }}",
                "{\"items\":" + items + "]}",
                Map.of("a.py", Fake.returning("1").taking(Duration.ofSeconds(1))));

        assertThat(result.output()).contains(new Json("10000"));
        assertThat(result.elapsed()).isEqualTo(Duration.ofSeconds(100));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void theSameSeedGivesTheSameTimes() throws IOException {
        String flow = "steps: [{id: try, script: a.py, retry: {max_retries: 5, delay: 10s, jitter: 1}}]";
        Map<String, Fake> fakes = Map.of("a.py", Fake.returning("1").failingFirst(5, "Busy", "not yet"));

        assertThat(run(flow, "{}", fakes).elapsed())
                .isEqualTo(run(flow, "{}", fakes).elapsed())
                .isPositive();
    }

    @Test
    void aMissingFakeIsNamed() {
        assertThatThrownBy(() -> run("steps: [{id: mail, script: mail.py}]", "{}", Map.of()))
                .isInstanceOf(SimulationStopped.class)
                .hasMessageContaining("Step \"mail\" runs mail.py, for which the test has no fake.");
    }

    @Test
    void flowsInsideFlowsAndRunsOfTheirOwnAreFoundByPath() throws IOException {
        write("inner.yaml", "inputs: {n: {}}\nsteps: [{id: double, script: d.py, input: {n: '${{ inputs.n }}'}}]");
        write(
                "own.yaml",
                "inputs: {n: {}}\nconcurrency: {max: 1}\n"
                        + "steps: [{id: double, script: d.py, input: {n: '${{ inputs.n }}'}}]");
        SimulationResult result = run(
                "steps:\n  - {id: a, flow: inner, input: {n: 2}}\n  - {id: b, flow: own, input: {n: 3}}\n"
                        + "output: ['${{ steps.a.result }}', '${{ steps.b.result }}']",
                "{}",
                Map.of("double", Fake.computing(input -> input.replaceAll("\\D", "") + "0")));

        assertThat(result.output()).contains(new Json("[20,30]"));
    }

    @Test
    void aFailureFlowIsNoted() throws IOException {
        SimulationResult result = run(
                "failure_flow: ops/alarm\nsteps: [{id: bad, script: a.py}]",
                "{}",
                Map.of("bad", Fake.failing("ValueError", "broken")));

        assertThat(result.started()).extracting(SimulationResult.Started::flow).containsExactly("ops/alarm");
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.error())
                                .isEqualTo(new JobError("ValueError", "Step \"bad\" failed: broken", "", true)));
    }

    @Test
    void aDefinitionWithErrorsIsReportedWithItsLines() {
        assertThatThrownBy(() -> run("steps:\n  - {id: a, scrpt: a.py}", "{}", Map.of()))
                .isInstanceOf(SimulationStopped.class)
                .hasMessageContaining("flow.yaml:3:");
    }
}
