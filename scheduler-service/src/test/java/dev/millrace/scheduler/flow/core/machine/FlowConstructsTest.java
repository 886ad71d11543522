package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.choice;
import static dev.millrace.scheduler.flow.core.machine.Model.compute;
import static dev.millrace.scheduler.flow.core.machine.Model.forEach;
import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.onFailure;
import static dev.millrace.scheduler.flow.core.machine.Model.result;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.sideBySide;
import static dev.millrace.scheduler.flow.core.machine.Model.skip;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.stop;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static dev.millrace.scheduler.flow.core.machine.Model.withOutput;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests each construct of the model. */
class FlowConstructsTest {
    @Test
    void skipsAStepAndPassesAResultOn() {
        RunOfFlow run =
                run(list(step("a", task()), step("b", task(), skip("${{ inputs.n }}", "${{ steps.a.result }}"))));
        run.succeed("a", "7");
        assertThat(run.output()).isEqualTo("7");
        assertThat(run.rows().get("b")).isInstanceOf(Outcome.Skipped.class);
    }

    @Test
    void usesAMockAsTheResult() {
        StepPolicy mocked =
                StepPolicy.NONE.change().mock(Optional.of(value("[1]"))).build();
        assertThat(run(list(step("a", task(), mocked))).output()).isEqualTo("[1]");
    }

    @Test
    void waitsBeforeAStepBegins() {
        StepPolicy delayed =
                StepPolicy.NONE.change().delay(Optional.of(value("5m"))).build();
        RunOfFlow run = run(list(step("a", task(), delayed)));
        assertThat(run.waits()).containsOnlyKeys("a#delay");
        run.succeed("a#delay", "null");
        assertThat(run.live()).containsOnlyKeys("a");
        run.succeed("a", "1");
        assertThat(run.output()).isEqualTo("1");
    }

    @Test
    void forgetsAnIterationThatNeverBeginsAfterItsDelay() {
        RunOfFlow run = new RunOfFlow(Flows.model("""
                steps:
                  - id: loop
                    for_each: [5, 0]
                    parallelism: 2
                    steps:
                      - {id: a, delay: "${{ item }}", script: s.py}
                  - {id: beside, needs: [], script: s.py}
                """), "{}");
        run.start();
        run.fail("loop[1].a", "no");

        Decision nothing = run.succeed("loop[0].a#delay", "null");

        assertThat(nothing.jobs()).isEmpty();
        assertThat(run.inProgress()).containsExactly("beside");
    }

    @Test
    void retriesAFailedTaskIfItsErrorMeetsTheCondition() {
        StepAction.Task task = new StepAction.Task(
                new TaskTarget.ScriptPath(Model.SCRIPT),
                task("${{ inputs.items }}").input(),
                new TaskOptions(
                        Optional.empty(),
                        0,
                        Optional.empty(),
                        new RetryPolicy(2, Duration.ofSeconds(3), 1, RetryPolicy.DELAY_MAX_DEFAULT, 0)));
        StepPolicy busy = Model.retryIf(value("${{ error.message === 'busy' }}"));
        RunOfFlow run = run(list(step("a", task, busy)));
        assertThat(run.live().values()).extracting(job -> job.options().retry()).containsExactly(RetryPolicy.NONE);

        run.failRetryably("a", "busy");
        assertThat(run.waits()).containsOnlyKeys("a#delay");
        run.succeed("a#delay", "null");
        assertThat(run.inputOf("a")).isEqualTo("{\"x\":[1,2,3]}");
        run.failRetryably("a", "broken");

        assertThat(run.failure()).isEqualTo("Step \"a\" failed: broken");
    }

    @Test
    void continuesAfterAToleratedFailure() {
        RunOfFlow run = run(
                list(step("a", task(), onFailure(OnFailure.CONTINUE)), step("b", task("${{ steps.a.result.error }}"))));
        run.fail("a", "No luck.");
        assertThat(run.inputOf("b"))
                .isEqualTo("{\"x\":{\"name\":\"Error\",\"message\":\"No luck.\",\"stack\":\"\",\"step_id\":\"a\"}}");
        run.succeed("b", "1");
        assertThat(run.output()).isEqualTo("1");
    }

    @Test
    void failsAtTheEndWhereAskedTo() {
        RunOfFlow run = run(list(step("a", task(), onFailure(OnFailure.FAIL_AT_END)), step("b", task())));
        run.fail("a", "No luck.");
        run.succeed("b", "1");
        assertThat(run.failure()).isEqualTo("Step \"a\" failed: No luck.");
    }

    @Test
    void overridesTheOptionsOfAJob() {
        StepAction loop = new StepAction.ForEach(
                value("[null, {\"timeout\": 7}, {\"limit\": {\"key\": \"k\", \"max\": 1}}]"),
                9,
                list(step("loop", overridden("${{ item }}"))),
                true,
                LoopOptions.DEFAULT);
        RunOfFlow run = run(list(step("loop", loop)));
        assertThat(run.live()).containsOnlyKeys("loop[0]", "loop[1]", "loop[2]");
        assertThat(requireNonNull(run.live().get("loop[0]")).options().timeout())
                .isEqualTo(Flows.DEFAULTS.timeout());
        assertThat(requireNonNull(run.live().get("loop[1]")).options().timeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(requireNonNull(run.live().get("loop[2]")).options().limit())
                .contains(new JobLimit("k", OptionalInt.of(1), Optional.empty()));
    }

    @Test
    void failsAStepWhoseOverridesCannotBeUsed() {
        assertThat(run(list(step("a", overridden("{\"timeout\": \"soon\"}")))).failure())
                .isEqualTo(
                        "Step \"a\" failed: The overrides of the step cannot be used: timeout: \"soon\" (expected: seconds"
                                + " as a number, or a duration such as 5m). Correct what makes them.");
    }

    @Test
    void failsAJobThatWouldWaitForALimitAndForAWorker() {
        StepPolicy together = StepPolicy.NONE.onSameWorker(true);
        RunOfFlow run = run(list(step("box", choice("1", "1", list(step("a", overridden("null")))), together)));
        assertThat(run.live()).containsOnlyKeys("box.a");
        StepAction limited = overridden("{\"limit\":{\"key\":\"k\",\"max\":1}}");
        assertThat(run(list(step("box", choice("1", "1", list(step("a", limited))), together)))
                        .failure())
                .contains("keeps to one worker with others: its job cannot wait for both");
    }

    private static StepAction.Task overridden(String overrides) {
        return new StepAction.Task(
                task().target(), task().input(), TaskOptions.DEFAULT.overriddenBy(Optional.of(value(overrides))));
    }

    @Test
    void stopsAListEarlyAfterItsRunningStepsHaveEnded() {
        RunOfFlow run = run(list(
                step(
                        "s",
                        choice(
                                "1",
                                "1",
                                new StepList(
                                        List.of(
                                                step("a", task(), stop(result(), Extent.LIST)),
                                                step("b", task()),
                                                new Step("c", List.of("a"), task())),
                                        Optional.empty()))),
                step("d", task("${{ steps.s.result }}"))));
        run.succeed("s.a", "5");
        assertThat(run.live()).containsOnlyKeys("s.b");
        run.succeed("s.b", "1");
        assertThat(run.inputOf("d")).isEqualTo("{\"x\":5}");
        run.succeed("d", "null");
        assertThat(run.output()).isEqualTo("null");
    }

    @Test
    void readsEarlierSiblingsInAStopCondition() {
        RunOfFlow computed = run(list(
                step("a", compute("5")),
                step(
                        "b",
                        compute("6"),
                        stop(value("${{ steps.a.result + result == 11 }}"), Extent.RUN, "a is ${{ steps.a.result }}")),
                step("c", task())));
        assertThat(computed.failure()).isEqualTo("Step \"b\" failed: a is 5");
        RunOfFlow ofWorkers = run(list(
                step("a", task()),
                step("b", task(), stop(value("${{ steps.a.result + result == 11 }}"), Extent.LIST)),
                step("c", task())));
        ofWorkers.succeed("a", "5");
        ofWorkers.succeed("b", "6");
        assertThat(ofWorkers.output()).isEqualTo("6");
    }

    @Test
    void stopsTheRunEarly() {
        RunOfFlow well = run(list(
                step("s", choice("1", "1", list(step("a", task(), stop(value("true"), Extent.RUN))))),
                step("d", task())));
        well.succeed("s.a", "5");
        assertThat(well.output()).isEqualTo("5");
        RunOfFlow badly = run(list(
                step(
                        "s",
                        choice(
                                "1",
                                "1",
                                list(step(
                                        "a", task(), stop(value("true"), Extent.RUN, "Enough of ${{ inputs.n }}."))))),
                step("d", task())));
        badly.succeed("s.a", "5");
        assertThat(badly.failure()).isEqualTo("Step \"s.a\" failed: Enough of 3.");
    }

    @Test
    void terminates() {
        RunOfFlow run = run(sideBySide(
                step("a", task()),
                step(
                        "loop",
                        forEach(
                                "[1]",
                                1,
                                LoopOptions.DEFAULT,
                                list(
                                        step("b", task()),
                                        step(
                                                "t",
                                                new StepAction.Terminate(
                                                        EndStatus.SUCCEEDED,
                                                        value("${{ steps.b.result }}"),
                                                        value("null"))))))));
        run.succeed("loop[0].b", "9");
        assertThat(run.output()).isEqualTo("9");
    }

    @Test
    void changesVariables() {
        FlowOptions options = FlowOptions.NONE
                .change()
                .variables(JsonValue.of("{\"a\":1,\"b\":2}"))
                .build();
        RunOfFlow run = run(
                list(
                        step(
                                "set",
                                new StepAction.SetVariables(Template.object(Map.of("b", value("${{ inputs.mode }}"))))),
                        step("wait", task()),
                        step("out", new StepAction.Compute(Model.variables()))),
                options,
                SubFlows.NONE);
        run.succeed("wait", "1");
        assertThat(run.output()).isEqualTo("{\"a\":1,\"b\":\"fast\"}");
    }

    @Test
    void waitsForATimeAndForPeople() {
        RunOfFlow run = run(list(
                step("sleep", new StepAction.Wait(new WaitFor.Delay(value("90")))),
                step(
                        "ask",
                        new StepAction.Wait(new WaitFor.Events(
                                EventKind.APPROVAL,
                                value("go-${{ inputs.n }}"),
                                2,
                                value("null"),
                                Optional.of(Duration.ofHours(1)),
                                WaitEnd.FAIL,
                                WaitEnd.FAIL)))));
        assertThat(run.waits().get("sleep"))
                .isEqualTo(new StartWait(new StepKey("sleep"), new StartWait.Until.Passed(Duration.ofSeconds(90))));
        run.succeed("sleep", "null");
        StartWait ask = run.waits().get("ask");
        assertThat(ask).isNotNull();
        if (ask != null) {
            assertThat(ask.until())
                    .isInstanceOfSatisfying(
                            StartWait.Until.Events.class,
                            events -> assertThat(events.name()).isEqualTo("go-3"));
        }
        run.succeed("ask", "{\"payload\":1}");
        assertThat(run.output()).isEqualTo("{\"payload\":1}");
    }

    @Test
    void startsAnotherRun() {
        RunOfFlow run =
                run(list(step("go", new StepAction.StartRun(value("other-${{ inputs.n }}"), value("{\"a\":1}")))));
        assertThat(run.runs()).containsOnlyKeys("go");
        run.succeed("go", "{\"run_id\":\"x\"}");
        assertThat(run.output()).isEqualTo("{\"run_id\":\"x\"}");
    }

    @Test
    void runsFailureStepsAfterTheFlowHasFailed() {
        FlowOptions options = FlowOptions.NONE
                .change()
                .onFailure(Optional.of(list(step("tell", task("${{ steps.a.result }}")), step("more", task()))))
                .build();
        RunOfFlow run = run(
                list(step("a", task()), step("s", choice("1", "1", list(step("b", task()))))), options, SubFlows.NONE);
        run.succeed("a", "7");
        run.fail("s.b", "No luck.");
        assertThat(run.state().phase()).isEqualTo(FlowState.Phase.HANDLING);
        assertThat(run.inputOf("#failure.tell")).isEqualTo("{\"x\":7}");
        run.succeed("#failure.tell", "1");
        run.fail("#failure.more", "Worse luck.");
        assertThat(run.failure()).isEqualTo("Step \"s.b\" failed: No luck.");
    }

    @Test
    void runsASubFlow() {
        StepList inner = withOutput(
                list(step("x", task("${{ inputs.k }}")), step("y", compute("${{ steps.x.result }}"))),
                "${{ steps.y.result }}");
        SubFlows subFlows = new SubFlows(
                Map.of(
                        "other",
                        Flows.subFlow(
                                new FlowDefinition(
                                        "other",
                                        "",
                                        List.of(new InputSpec("k", InputType.INTEGER, true, Optional.empty(), "")),
                                        inner),
                                Flows.scripts(List.of(Model.SCRIPT)))),
                Set.of());
        RunOfFlow run = run(
                list(step(
                        "sub",
                        new StepAction.SubFlow("other", Template.object(Map.of("k", value("${{ inputs.n }}")))))),
                FlowOptions.NONE,
                subFlows);
        assertThat(run.inputOf("sub.x")).isEqualTo("{\"x\":3}");
        run.succeed("sub.x", "8");
        assertThat(run.output()).isEqualTo("8");
        RunOfFlow refused = run(
                list(step("sub", new StepAction.SubFlow("other", value("{\"k\":\"no\"}")))),
                FlowOptions.NONE,
                subFlows);
        assertThat(refused.failure()).startsWith("Step \"sub\" failed: The flow does not take this input.");
    }

    @Test
    void computesTargetsAndTags() {
        TaskOptions tagged = new TaskOptions(
                Optional.of(value("gpu-${{ inputs.n }}")), 0, Optional.empty(), TaskOptions.DEFAULT.retry());
        RunOfFlow run = run(list(step(
                "a",
                new StepAction.Task(
                        new TaskTarget.Computed(value("handler:${{ inputs.mode }}")),
                        Template.Constant.EMPTY_OBJECT,
                        tagged))));
        StartJob job = run.live().get("a");
        assertThat(job).isNotNull();
        if (job != null) {
            assertThat(job.options().tag()).isEqualTo("gpu-3");
            assertThat(job.name()).isEqualTo("fast");
        }
        assertThat(run(list(step(
                                "a",
                                new StepAction.Task(
                                        new TaskTarget.Computed(value("${{ inputs.mode }}")),
                                        Template.Constant.EMPTY_OBJECT,
                                        TaskOptions.DEFAULT))))
                        .failure())
                .contains("The target \"fast\" is neither handler:NAME nor a script of the flow");
    }
}
