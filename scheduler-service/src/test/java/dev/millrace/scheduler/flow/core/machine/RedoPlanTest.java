package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.RedoneRows;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests which parts of a run are redone: which rows no longer count, and what begins then. */
class RedoPlanTest {
    private static final String LOOP = """
            steps:
              - {id: split, script: s.py}
              - id: count
                for_each: ${{ steps.split.result }}
                parallelism: PARALLELISM
                steps:
                  - {id: read, script: s.py}
                  - {id: tell, script: s.py, input: {x: "${{ steps.read.result }}"}}
              - {id: merge, script: s.py}
              - {id: beside, needs: [], script: s.py}
            """;

    private static final Json INPUT = new Json("{\"fast\":false}");

    private final List<FinishedStep> rows = new ArrayList<>();

    @Test
    void voidsRowsAtAndBelowALaterReset() {
        row("a", succeeded());
        row("loop#open", succeeded());
        row("loop[1].x", succeeded());
        row("loop[10].x", succeeded());
        row("loop", failed());
        reset("loop[1]#redo");
        reset("loop#reopen");
        row("loop[1].x", succeeded());

        assertThat(keys(RedoneRows.without(rows))).containsExactly("a", "loop#open", "loop[10].x", "loop[1].x");
    }

    @Test
    void retriesTheFailedStepInsideALoopAndKeepsTheOtherIterations() {
        RunOfFlow run = startedLoop(2);
        run.succeed("count[0].read", "1");
        run.succeed("count[1].read", "2");
        run.fail("count[0].tell", "no");
        run.succeed("count[1].tell", "3");
        run.succeed("beside", "4");

        RedoPlan plan = failures(run);
        FlowState again = fold(run, plan);
        Decision decision = FlowMachine.reopen(run.model(), again);

        assertThat(texts(plan.resets().stream().map(RedoPlan.Reset::key).toList()))
                .containsExactly("count#reopen", "count[0].tell#redo");
        assertThat(jobs(decision)).containsExactlyInAnyOrder("count[0].tell:{\"x\":1}", "count[2].read:{}");
    }

    @Test
    void fillsTheWindowOfALoopThatContinues() {
        RunOfFlow run = startedLoop(2);
        run.fail("count[0].read", "no");
        run.succeed("count[1].read", "2");
        run.succeed("beside", "4");

        Decision decision = FlowMachine.reopen(run.model(), fold(run, failures(run)));

        assertThat(jobs(decision)).containsExactlyInAnyOrder("count[0].read:{}", "count[1].tell:{\"x\":2}");
    }

    @Test
    void runsAgainFromAStepInsideAnIterationOfASequentialLoop() {
        RunOfFlow run = startedLoop(1);
        for (int i = 0; i < 3; i++) {
            run.succeed("count[" + i + "].read", "1");
            run.succeed("count[" + i + "].tell", "2");
        }
        run.succeed("beside", "4");
        run.succeed("merge", "5");

        RedoPlan plan = from(run, "count[1].tell").orElseThrow();
        Decision decision = FlowMachine.reopen(run.model(), fold(run, plan));

        assertThat(keys(plan.keep(run.journal())))
                .containsExactlyInAnyOrder(
                        "split", "count#open", "count[0].read", "count[0].tell", "count[1].read", "beside");
        assertThat(jobs(decision)).containsExactly("count[1].tell:{\"x\":1}");
    }

    @Test
    void keepsTheOtherIterationsOfAParallelLoop() {
        RunOfFlow run = startedLoop(3);
        for (int i = 0; i < 3; i++) {
            run.succeed("count[" + i + "].read", "1");
            run.succeed("count[" + i + "].tell", "2");
        }
        run.succeed("beside", "4");
        run.succeed("merge", "5");

        RedoPlan plan = from(run, "count[1].read").orElseThrow();

        assertThat(keys(plan.keep(run.journal())))
                .contains("count[2].tell", "count[0].tell", "beside")
                .doesNotContain("count[1].read", "count[1].tell", "count", "merge");
    }

    @Test
    void runsAgainFromInsideTheBranchThatWasTaken() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - id: route
                    switch:
                      cases:
                        - {when: "${{ inputs.fast }}", steps: [{id: x, script: s.py}, {id: y, script: s.py}]}
                      default: {steps: [{id: x, script: s.py}, {id: z, script: s.py}]}
                  - {id: after, script: s.py}
                inputs: {fast: {type: boolean}}
                """, "{\"fast\": false}");
        run.succeed("route.x", "1");
        run.succeed("route.z", "2");
        run.succeed("after", "3");

        RedoPlan plan = from(run, "route.x").orElseThrow();

        assertThat(keys(plan.keep(run.journal()))).containsExactly("route#open");
        assertThat(jobs(FlowMachine.reopen(run.model(), fold(run, plan)))).containsExactly("route.x:{}");
    }

    @Test
    void keepsToleratedFailures() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py, on_failure: continue}
                  - id: each
                    for_each: [1, 2]
                    skip_failures: true
                    steps: [{id: x, script: s.py}, {id: y, script: s.py}]
                  - {id: b, script: s.py}
                """, "{}");
        run.fail("a", "no");
        run.fail("each[0].x", "no");
        run.succeed("each[1].x", "1");
        run.succeed("each[1].y", "2");
        run.fail("b", "no");

        Decision decision = run.retry();

        assertThat(jobs(decision)).containsExactly("b:{}");
        run.succeed("b", "3");
        assertThat(run.output()).isEqualTo("3");
    }

    @Test
    void redoesTheLastIterationOfALoopThatHadNotDecidedWhetherToContinue() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - id: loop
                    while: ${{ result < 2 }}
                    steps: [{id: x, script: s.py}]
                  - {id: beside, needs: [], script: s.py}
                """, "{}");
        run.succeed("loop[0].x", "1");
        run.fail("beside", "no");
        run.succeed("loop[1].x", "1");

        Decision decision = run.retry();
        assertThat(jobs(decision)).containsExactlyInAnyOrder("loop[1].x:{}", "beside:{}");
        run.succeed("loop[1].x", "1");
        run.succeed("beside", "4");
        run.succeed("loop[2].x", "2");
        assertThat(run.output()).isEqualTo("4");
    }

    @Test
    void continuesALoopInWhichAnIterationFailed() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: loop, while: "${{ result < 2 }}", steps: [{id: x, script: s.py}]}
                """, "{}");
        run.succeed("loop[0].x", "1");
        run.fail("loop[1].x", "no");

        assertThat(jobs(run.retry())).containsExactly("loop[1].x:{}");
        run.succeed("loop[1].x", "2");
        assertThat(run.output()).isEqualTo("[1,2]");
    }

    @Test
    void voidsTheVariableChangesOfVoidedSteps() {
        RunOfFlow run = RunOfFlow.started("""
                variables: {n: 0}
                steps:
                  - {id: a, script: s.py}
                  - {id: set, set: {n: 1}}
                  - {id: b, script: s.py, input: {n: "${{ vars.n }}"}}
                """, "{}");
        run.succeed("a", "1");
        run.succeed("b", "2");

        assertThat(from(run, "a").orElseThrow().resets().toString()).contains("a#redo", "b#redo", "set#redo");
        assertThat(run.redoFrom("a")).isPresent();
        assertThat(run.inProgress()).containsExactly("a");
    }

    @Test
    void knowsNoStepThatTheFlowOrTheLoopDoesNotHave() {
        RunOfFlow run = startedLoop(1);

        assertThat(from(run, "count[7].read")).isEmpty();
        assertThatThrownBy(() -> from(run, "elsewhere")).isInstanceOf(IllegalArgumentException.class);
    }

    private static RunOfFlow startedLoop(int parallelism) {
        RunOfFlow run = RunOfFlow.started(LOOP.replace("PARALLELISM", "" + parallelism), "{}");
        run.succeed("split", "[1,2,3]");
        return run;
    }

    private static RedoPlan failures(RunOfFlow run) {
        return RedoPlan.ofFailures(run.model(), Flows.RUN, INPUT, run.journal());
    }

    private static Optional<RedoPlan> from(RunOfFlow run, String step) {
        return RedoPlan.from(run.model(), Flows.RUN, INPUT, new StepKey(step), run.journal());
    }

    private static FlowState fold(RunOfFlow run, RedoPlan plan) {
        return FlowFold.of(run.model(), Flows.RUN, INPUT, plan.keep(run.journal()), Set.of());
    }

    private void row(String key, Outcome outcome) {
        rows.add(new FinishedStep(nextId(), JobKind.SCRIPT, new StepKey(key), outcome));
    }

    private void reset(String key) {
        rows.add(new FinishedStep(nextId(), JobKind.RESET, new StepKey(key), succeeded()));
    }

    private JobId nextId() {
        return new JobId(new UUID(rows.size() + 1, 0));
    }

    private static Outcome succeeded() {
        return new Outcome.Succeeded(Json.NULL);
    }

    private static Outcome failed() {
        return new Outcome.Failed(RunOfFlow.error("no"));
    }

    private static List<String> keys(List<FinishedStep> rows) {
        return rows.stream().map(row -> row.key().text()).toList();
    }

    private static List<String> texts(List<StepKey> keys) {
        return keys.stream().map(StepKey::text).toList();
    }

    private static List<String> jobs(Decision decision) {
        return decision.jobs().stream()
                .map(job -> job.key() + ":" + job.input().text())
                .toList();
    }
}
