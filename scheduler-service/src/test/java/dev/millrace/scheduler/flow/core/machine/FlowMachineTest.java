package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlowMachineTest {
    private static final String WORD_COUNT = """
            inputs:
              files: {type: array}
            steps:
              - {id: split, script: split.py, input: {files: "${{ inputs.files }}"}}
              - id: count
                for_each: ${{ steps.split.result }}
                parallelism: 2
                script: count.ts
                input: {text: "${{ item }}", index: "${{ index }}"}
              - {id: merge, script: merge.py, input: {counts: "${{ steps.count.result }}"}}
            output: ${{ steps.merge.result.total }}
            """;

    @Test
    void runsAFlowFromItsInputToItsOutput() {
        RunOfFlow run = RunOfFlow.started(WORD_COUNT, "{\"files\":[\"a\",\"b\"]}");
        assertThat(run.inputOf("split")).isEqualTo("{\"files\":[\"a\",\"b\"]}");

        run.succeed("split", "[\"one\",\"two\",\"three\"]");
        assertThat(run.live().keySet()).containsExactly("count[0]", "count[1]");
        assertThat(run.inputOf("count[1]")).isEqualTo("{\"text\":\"two\",\"index\":1}");

        run.succeed("count[1]", "2");
        assertThat(run.live().keySet()).containsExactly("count[0]", "count[2]");
        run.succeed("count[2]", "3");
        run.succeed("count[0]", "1");
        assertThat(run.inputOf("merge")).isEqualTo("{\"counts\":[1,2,3]}");

        run.succeed("merge", "{\"total\":6}");
        assertThat(run.output()).isEqualTo("6");
    }

    @Test
    void recordsTheBeginningAndTheEndOfALoop() {
        RunOfFlow run = RunOfFlow.started(WORD_COUNT, "{\"files\":[]}");

        Decision opening = run.succeed("split", "[\"one\"]");
        Decision ending = run.succeed("count[0]", "{\"n\":1.10}");

        assertThat(opening.records())
                .containsExactly(
                        new StepRecord(new StepKey("count#open"), JobKind.FOR_EACH, Json.NULL, succeeded("[\"one\"]")));
        assertThat(ending.records())
                .containsExactly(
                        new StepRecord(new StepKey("count"), JobKind.FOR_EACH, Json.NULL, succeeded("[{\"n\":1.10}]")));
    }

    @Test
    void endsAnEmptyLoopAtOnce() {
        RunOfFlow run = RunOfFlow.started(WORD_COUNT, "{\"files\":[]}");
        Decision decision = run.succeed("split", "[]");
        assertThat(decision.records()).hasSize(2);
        assertThat(run.inputOf("merge")).isEqualTo("{\"counts\":[]}");
    }

    @Test
    void endsAFlowWithoutStepsWithNull() {
        assertThat(RunOfFlow.started("steps: []", "{}").output()).isEqualTo("null");
    }

    @Test
    void endsLoopsWithoutStepsWithoutAWorker() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: outer, for_each: [1, 2, 3], steps: [{id: inner, for_each: [4, 5], steps: []}]}
                """, "{}");
        assertThat(run.output()).isEqualTo("[[null,null],[null,null],[null,null]]");
    }

    @Test
    void handsAStepItsOptions() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - id: a
                    handler: resize
                    priority: 7
                    timeout: 30s
                    retry: {max_retries: 3, delay: 1s, multiplier: 2, max_delay: 1m, jitter: 0.1}
                  - {id: b, needs: [], script: b.py, tag: gpu}
                """, "{}");
        StartJob a = run.live().get("a");
        StartJob b = run.live().get("b");
        assertThat(a).isNotNull();
        assertThat(b).isNotNull();
        if (a != null && b != null) {
            assertThat(a.name()).isEqualTo("resize");
            assertThat(a.options().tag()).isEqualTo("handler:resize");
            assertThat(a.options().priority()).isEqualTo(7);
            assertThat(a.options().timeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(a.options().retry())
                    .isEqualTo(new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.1));
            assertThat(b.options().tag()).isEqualTo("gpu");
            assertThat(b.options().timeout()).isEqualTo(Flows.DEFAULTS.timeout());
            assertThat(b.options().retry()).isEqualTo(RetryPolicy.NONE);
        }
    }

    @Test
    void joinsADiamond() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - {id: b, script: s.py}
                  - {id: c, needs: [a], script: s.py}
                  - {id: d, needs: [b, c], script: s.py, input: {b: "${{ steps.b.result }}", a: "${{ steps.a.result }}"}}
                """, "{}");
        run.succeed("a", "1");
        assertThat(run.live().keySet()).containsExactly("b", "c");
        run.succeed("c", "3");
        assertThat(run.live().keySet()).containsExactly("b");
        run.succeed("b", "2");
        assertThat(run.inputOf("d")).isEqualTo("{\"b\":2,\"a\":1}");
    }

    private static final String ROUTE = """
            inputs:
              mode: {type: any}
              ok: {required: false}
            steps:
              - id: route
                switch:
                  value: ${{ inputs.mode }}
                  cases:
                    - {equals: fast, steps: [{id: left, script: s.py}]}
                    - {equals: 1, steps: []}
                    - {when: "${{ inputs.ok }}", steps: [{id: middle, script: s.py}], output: seen}
                  default: {steps: [{id: right, script: s.py}]}
            """;

    @Test
    void takesTheFirstBranchThatMatches() {
        RunOfFlow run = RunOfFlow.started(ROUTE, "{\"mode\":\"fast\",\"ok\":true}");
        assertThat(run.live().keySet()).containsExactly("route.left");
        assertThat(run.journal())
                .extracting(FinishedStep::key, FinishedStep::outcome)
                .containsExactly(tuple(new StepKey("route#open"), succeeded("{\"case\":0}")));
        run.succeed("route.left", "\"done\"");
        assertThat(run.output()).isEqualTo("\"done\"");
    }

    @Test
    void takesABranchByCondition() {
        RunOfFlow run = RunOfFlow.started(ROUTE, "{\"mode\":\"slow\",\"ok\":\"yes\"}");
        run.succeed("route.middle", "1");
        assertThat(run.output()).isEqualTo("\"seen\"");
    }

    @Test
    void takesTheDefaultBranchAndComparesNumbersBySize() {
        assertThat(RunOfFlow.started(ROUTE, "{\"mode\":2,\"ok\":0}").live().keySet())
                .containsExactly("route.right");
        assertThat(RunOfFlow.started(ROUTE, "{\"mode\":1.0,\"ok\":0}").output()).isEqualTo("null");
    }

    @Test
    void resultsInNullIfNoBranchMatches() {
        RunOfFlow run =
                RunOfFlow.started("steps: [{id: route, switch: {value: 1, cases: [{equals: 2, steps: []}]}}]", "{}");
        assertThat(run.output()).isEqualTo("null");
        assertThat(run.journal())
                .extracting(FinishedStep::key, FinishedStep::outcome)
                .containsExactly(
                        tuple(new StepKey("route#open"), succeeded("{\"case\":null}")),
                        tuple(new StepKey("route"), succeeded("null")));
    }

    @Test
    void letsRunningStepsFinishBeforeItFails() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - {id: b, needs: [], script: s.py}
                  - {id: c, needs: [b], script: s.py}
                """, "{}");
        run.fail("a", "No luck.");
        assertThat(run.end()).isEmpty();
        Decision decision = run.succeed("b", "1");
        assertThat(decision.jobs()).isEmpty();
        assertThat(run.failure()).isEqualTo("Step \"a\" failed: No luck.");
    }

    @Test
    void failsWithTheStepThatComesFirstInTheFlow() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, for_each: [1, 2], parallelism: 2, script: s.py}
                """, "{}");
        run.fail("a[1]", "late");
        run.fail("a[0]", "early");
        assertThat(run.failure()).isEqualTo("Step \"a[0]\" failed: early");
    }

    @Test
    void endsTheContainersOfAFailedRun() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: loop, for_each: [1], steps: [{id: x, script: s.py}]}
                  - {id: other, needs: [], for_each: [1], steps: [{id: x2, script: s.py}]}
                """, "{}");
        run.succeed("other[0].x2", "1");
        Decision decision = run.fail("loop[0].x", "No luck.");
        JobError error = JobError.permanent("Error", "Step \"loop[0].x\" failed: No luck.");
        assertThat(decision.records())
                .containsExactly(
                        new StepRecord(new StepKey("loop"), JobKind.FOR_EACH, Json.NULL, new Outcome.Failed(error)));
        assertThat(decision.end()).isEqualTo(Optional.of(new Outcome.Failed(error)));
    }

    @Test
    void cancelsAtOnce() {
        RunOfFlow run = RunOfFlow.started("steps: [{id: loop, for_each: [1], script: s.py}]", "{}");
        Decision decision = run.cancel();
        assertThat(decision.end()).get().isInstanceOf(Outcome.Canceled.class);
        assertThat(decision.records()).extracting(StepRecord::key).containsExactly(new StepKey("loop"));
        assertThat(run.cancel().rejection()).contains(Rejection.RUN_ENDED);
    }

    @Test
    void refusesALateResult() {
        RunOfFlow run = RunOfFlow.started("steps: [{id: a, script: s.py}, {id: b, script: s.py}]", "{}");
        run.succeed("a", "1");
        assertThat(run.succeed("a", "2").rejection()).contains(Rejection.STEP_NOT_LIVE);
        assertThat(run.succeed("b[7].c", "2").rejection()).contains(Rejection.STEP_NOT_LIVE);
    }

    @Test
    void failsAStepWhoseInputIsMissing() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - {id: b, script: s.py, input: {n: "${{ steps.a.result.items[0].n }}"}}
                """, "{}");
        Decision decision = run.succeed("a", "{\"items\":[{\"m\":1}]}");
        assertThat(decision.records())
                .extracting(StepRecord::key, StepRecord::kind)
                .containsExactly(tuple(new StepKey("b"), JobKind.SCRIPT));
        assertThat(run.failure())
                .isEqualTo(
                        "Step \"b\" failed: The input could not be resolved. steps.a.result.items[0].n does not exist: "
                                + "steps.a.result.items[0] is an object with the keys \"m\".");
    }

    @Test
    void failsALoopOverAnythingButAnArray() {
        RunOfFlow run = RunOfFlow.started(
                "inputs: {n: {}}\nsteps: [{id: a, for_each: \"${{ inputs.n }}\", script: s.py}]", "{\"n\":5}");
        assertThat(run.failure())
                .isEqualTo("Step \"a\" failed: The value of for_each is a number (expected: an array).");
    }

    @Test
    void failsALoopWithTooManyItems() {
        String items = "1,".repeat(FlowLimits.LOOP_ITEMS_MAX) + "1";
        RunOfFlow run = RunOfFlow.started(
                "inputs: {n: {}}\nsteps: [{id: a, for_each: \"${{ inputs.n }}\", script: s.py}]",
                "{\"n\":[" + items + "]}");
        assertThat(run.failure())
                .startsWith("Step \"a\" failed: The loop has 100001 items, more than the limit of 100000.");
    }

    @Test
    void startsNothingIfTheSameEventAlsoFailsTheRun() {
        RunOfFlow run = RunOfFlow.started("""
                inputs: {n: {}}
                steps:
                  - {id: a, script: s.py}
                  - {id: b, needs: [], script: s.py, input: {x: "${{ inputs.n.x }}"}}
                """, "{\"n\":1}");
        assertThat(run.live()).isEmpty();
        assertThat(run.failure())
                .startsWith("Step \"b\" failed: The input could not be resolved. inputs.n.x does not exist");
    }

    @Test
    void failsALoopWhoseResultsAreTooLargeAndLetsItsIterationsFinish() {
        FlowModel model = limited("steps: [{id: a, for_each: [1, 2, 3], parallelism: 2, script: s.py}]", 40);
        RunOfFlow run = new RunOfFlow(model, "{}");
        run.start();
        run.succeed("a[0]", "\"" + "x".repeat(50) + "\"");
        assertThat(run.live().keySet()).containsExactly("a[1]");
        run.succeed("a[1]", "1");
        assertThat(run.failure())
                .startsWith(
                        "Step \"a\" failed: The results of the iterations together are larger than the limit of 40 bytes.");
    }

    @Test
    void failsALoopWhoseNamesAreTooLargeUnlessTheyAreEqual() {
        String loop = "steps: [{id: a, for_each: [1, 2, 3], script: s.py, key: \"xxxxxxxxxxxxxxxxxx${{ NAME }}\"}]";
        assertThat(named(loop.replace("NAME", "item")).failure())
                .startsWith("Step \"a\" failed: The results of the iterations together are larger");
        assertThat(named(loop.replace("NAME", "0")).output()).isEqualTo("{\"xxxxxxxxxxxxxxxxxx0\":3}");
    }

    private static RunOfFlow named(String definition) {
        RunOfFlow run = new RunOfFlow(limited(definition, 40), "{}");
        run.start();
        for (int i = 0; i < 3; i++) {
            run.succeed("a[" + i + "]", "" + (i + 1));
        }
        return run;
    }

    @Test
    void failsAStepWhoseInputIsTooLarge() {
        FlowModel model = limited(
                "steps: [{id: a, script: s.py}, {id: b, script: s.py, input: {x: \"${{ steps.a.result }}\", y: \"${{ steps.a.result }}\"}}]",
                40);
        RunOfFlow run = new RunOfFlow(model, "{}");
        run.start();
        run.succeed("a", "\"" + "x".repeat(30) + "\"");
        assertThat(run.failure()).contains("The value is larger than the limit of 40 bytes.");
    }

    private static FlowModel limited(String definition, int bytesMax) {
        return Flows.model(Flows.model(definition).definition(), List.of("s.py"), new Limits(bytesMax));
    }

    @Test
    void survivesAResultThatIsNotJson() {
        String flow = """
                steps:
                  - {id: a, script: s.py}
                  - {id: b, for_each: "${{ steps.a.result }}", script: s.py}
                """;
        for (String broken : List.of("[1,", "NaN", "", "[1 2]", "{\"a\"")) {
            RunOfFlow run = RunOfFlow.started(flow, "{}");
            run.succeed("a", broken);
            assertThat(run.failure()).startsWith("Step \"b\" failed: ");
        }
    }

    @Test
    void passesNumbersOnAsTheyAreWritten() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - {id: b, script: s.py, input: {n: "${{ steps.a.result.n }}", t: "n=${{ steps.a.result.n }}"}}
                """, "{}");
        run.succeed("a", "{ \"n\" : 123456789012345678901234567890.1200 }");
        assertThat(run.inputOf("b"))
                .isEqualTo(
                        "{\"n\":123456789012345678901234567890.1200,\"t\":\"n=123456789012345678901234567890.1200\"}");
    }

    @Test
    void dropsResultsThatNothingReadsAnymore() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - {id: b, script: s.py, input: {x: "${{ steps.a.result }}"}}
                  - {id: c, script: s.py}
                  - {id: d, script: s.py}
                """, "{}");
        long before = run.state().weight();
        run.succeed("a", "\"" + "x".repeat(10_000) + "\"");
        assertThat(run.state().weight() - before).isLessThan(1_000);
        run.succeed("b", "\"" + "x".repeat(10_000) + "\"");
        assertThat(run.state().weight() - before).isLessThan(1_000);
    }

    @Test
    void namesTheRunInExpressions() {
        RunOfFlow run = RunOfFlow.started("steps: [{id: a, script: s.py, input: {run: \"${{ run.id }}\"}}]", "{}");
        assertThat(run.inputOf("a")).isEqualTo("{\"run\":\"" + Flows.RUN + "\"}");
    }

    @Test
    void seesOuterStepsAndItemsFromInside() {
        RunOfFlow run = RunOfFlow.started("""
                steps:
                  - {id: a, script: s.py}
                  - id: outer
                    for_each: [10, 20]
                    steps:
                      - {id: x, script: s.py, input: {a: "${{ steps.a.result }}", item: "${{ item }}"}}
                      - id: inner
                        for_each: ["p", "q"]
                        steps:
                          - {id: y, script: s.py, input: {x: "${{ steps.x.result }}", item: "${{ item }}", i: "${{ index }}"}}
                        output: {y: "${{ steps.y.result }}", a: "${{ steps.a.result }}"}
                """, "{}");
        run.succeed("a", "\"A\"");
        for (int i = 0; i < 2; i++) {
            assertThat(run.inputOf("outer[" + i + "].x")).isEqualTo("{\"a\":\"A\",\"item\":" + (i + 1) * 10 + "}");
            run.succeed("outer[" + i + "].x", "\"X" + i + "\"");
            for (int j = 0; j < 2; j++) {
                String key = "outer[" + i + "].inner[" + j + "].y";
                assertThat(run.inputOf(key))
                        .isEqualTo("{\"x\":\"X" + i + "\",\"item\":\"" + (j == 0 ? "p" : "q") + "\",\"i\":" + j + "}");
                run.succeed(key, Integer.toString(j));
            }
        }
        assertThat(run.output())
                .isEqualTo(
                        "[[{\"y\":0,\"a\":\"A\"},{\"y\":1,\"a\":\"A\"}],[{\"y\":0,\"a\":\"A\"},{\"y\":1,\"a\":\"A\"}]]");
    }

    @Test
    void failsLoopsThatWouldContinueEndlesslyWithoutAWorker() {
        RunOfFlow run = new RunOfFlow(Flows.model("""
                inputs: {items: {}}
                steps:
                  - id: outer
                    for_each: ${{ inputs.items }}
                    steps:
                      - {id: inner, for_each: "${{ inputs.items }}", steps: []}
                """), "{\"items\":[" + "1,".repeat(9_999) + "1]}");
        Decision decision = run.start();
        assertThat(decision.records()).isEmpty();
        assertThat(run.failure()).startsWith("More than 500000 steps and iterations would begin or end at once.");
    }

    @Test
    void worksThroughLongListsWithoutDeepeningTheStack() {
        StringBuilder steps = new StringBuilder("steps:\n");
        for (int i = 0; i < 5_000; i++) {
            steps.append("  - {id: s").append(i).append(", switch: {cases: []}}\n");
        }
        assertThat(RunOfFlow.started(steps.toString(), "{}").output()).isEqualTo("null");
    }

    private static Outcome succeeded(String result) {
        return new Outcome.Succeeded(new Json(result));
    }

    @Test
    void failsTheRunIfOneTransitionWouldWriteTooMuch() {
        StringBuilder definition = new StringBuilder("steps:\n");
        for (int i = 0; i < 300; i++) {
            definition.append("  - {id: s").append(i).append(", value: \"${{ inputs }}\"}\n");
        }
        Limits limits = new Limits(100_000, 1_000_000, 1_000_000);
        FlowModel model = Flows.model(Flows.model(definition.toString()).definition(), List.of("s.py"), limits);

        Decision decision = FlowMachine.reopen(model, Flows.fresh(model, "{\"x\":\"" + "a".repeat(3_000) + "\"}"));

        assertThat(decision.end())
                .hasValueSatisfying(end -> assertThat(end)
                        .isInstanceOfSatisfying(
                                Outcome.Failed.class,
                                failed -> assertThat(failed.error().name()).isEqualTo("TransitionTooLarge")));
        assertThat(decision.records()).isEmpty();
    }

    @Test
    void failsTheRunIfItWouldHoldTooMuch() {
        StringBuilder definition = new StringBuilder("steps:\n");
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            definition.append("  - {id: s").append(i).append(", value: \"${{ inputs }}\"}\n");
            all.append("\"${{ steps.s").append(i).append(".result }}\", ");
        }
        definition
                .append("  - {id: wait, script: s.py}\n  - {id: end, value: [")
                .append(all)
                .append("1]}\n");
        Limits limits = new Limits(100_000, 10_000_000, 100_000);
        FlowModel model = Flows.model(Flows.model(definition.toString()).definition(), List.of("s.py"), limits);
        String inputOfMostHeldLength =
                "{\"x\":\"" + "a".repeat(FlowLimits.RESULT_HELD_LENGTH_MAX - "{'x':''}".length()) + "\"}";

        Decision longer = FlowMachine.reopen(model, Flows.fresh(model, "{\"x\":\"" + "a".repeat(6_000) + "\"}"));
        Decision decision = FlowMachine.reopen(model, Flows.fresh(model, inputOfMostHeldLength));

        assertThat(longer.end())
                .as("results that stay in the history need not be held")
                .isEmpty();
        assertThat(decision.end())
                .hasValueSatisfying(end -> assertThat(end)
                        .isInstanceOfSatisfying(
                                Outcome.Failed.class,
                                failed -> assertThat(failed.error().name()).isEqualTo("RunTooLarge")));
    }
}
