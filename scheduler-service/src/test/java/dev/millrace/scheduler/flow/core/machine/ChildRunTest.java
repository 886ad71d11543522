package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.compute;
import static dev.millrace.scheduler.flow.core.machine.Model.forEach;
import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static dev.millrace.scheduler.flow.core.machine.Model.withOutput;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests steps that wait for the end of a child run. */
class ChildRunTest {
    private static final StepAction CALL = new StepAction.ChildRun(
            value("shop/${{ inputs.mode }}"), Template.object(Map.of("n", value("${{ inputs.n }}"))));

    @Test
    void resultsInTheOutputOfTheRun() {
        RunOfFlow run = run(list(step("call", CALL), step("next", task("${{ steps.call.result.sum }}"))));

        assertThat(run.waits().get("call"))
                .isEqualTo(new StartWait(
                        new StepKey("call"), new StartWait.Until.RunEnded("shop/fast", new Json("{\"n\":3}"))));
        run.succeed("call", "{\"sum\":7}");

        assertThat(run.inputOf("next")).isEqualTo("{\"x\":7}");
    }

    @Test
    void addsTheIdOfTheRunToItsResultOnRequest() {
        RunOfFlow run = run(list(step(
                "call", new StepAction.ChildRun(value("shop"), Template.Constant.EMPTY_OBJECT, Optional.of("id")))));
        assertThat(endOf(run, "{\"sum\":7}")).isEqualTo("{\"id\":\"" + Flows.RUN + "\",\"sum\":7}");
        assertThat(endOf(run, "{\"id\":7}")).isEqualTo("{\"id\":7}");
        assertThat(endOf(run, "null")).isEqualTo("{\"id\":\"" + Flows.RUN + "\"}");
        assertThat(endOf(run, "[1]")).isEqualTo("{\"id\":\"" + Flows.RUN + "\",\"result\":[1]}");
        assertThat(endOf(run(list(step("call", CALL))), "[1]")).isEqualTo("[1]");
    }

    private static String endOf(RunOfFlow run, String output) {
        Outcome end = new Outcome.Succeeded(new Json(output));
        return ((Outcome.Succeeded) run.model().endOf(new StepKey("call"), Flows.RUN, end))
                .result()
                .text();
    }

    @Test
    void failsAsTheRunDoes() {
        RunOfFlow run = run(list(step("call", CALL)));
        run.fail("call", "Step \"pay\" failed: no money");
        assertThat(run.failure()).isEqualTo("Step \"call\" failed: Step \"pay\" failed: no money");
    }

    @Test
    void isCanceledWithTheRun() {
        RunOfFlow run = run(list(step("call", CALL)));
        run.on(new FlowEvent.StepEnded(new StepKey("call"), new Outcome.Canceled(RunOfFlow.error("enough"))));
        assertThat(run.failure()).isEqualTo("Step \"call\" was canceled: enough");
    }

    @Test
    void continuesAfterAToleratedFailure() {
        RunOfFlow run = run(withOutput(
                list(step("call", CALL, Model.onFailure(OnFailure.CONTINUE))),
                "${{ steps.call.result.error.message }}"));
        run.fail("call", "no money");
        assertThat(run.output()).isEqualTo("\"no money\"");
    }

    @Test
    void startsAnotherRunWhenItIsRetried() {
        RunOfFlow run = run(list(step("call", CALL, Model.retry(2, Duration.ofSeconds(3)))));
        run.fail("call", "one");
        assertThat(run.waits()).containsOnlyKeys("call#delay");
        Decision again = run.succeed("call#delay", "null");
        assertThat(again.waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.until())
                        .isEqualTo(new StartWait.Until.RunEnded("shop/fast", new Json("{\"n\":3}"))));
        run.fail("call", "two");
        run.succeed("call#delay", "null");
        run.fail("call", "three");
        assertThat(run.failure()).isEqualTo("Step \"call\" failed: three");
    }

    @Test
    void waitsNoLongerThanItsTimeLimit() {
        RunOfFlow run = run(list(step(
                "call",
                CALL,
                Model.timeout(
                        Duration.ofMinutes(1),
                        OnFailure.FAIL,
                        Model.retry(1, Duration.ZERO).retry()))));
        assertThat(run.inProgress()).containsExactlyInAnyOrder("call", "call#limit");
        run.fail("call", "one");

        Decision decision = run.succeed("call#limit", "null");

        assertThat(decision.withdrawals()).containsExactly(new Withdrawal(new StepKey("call"), Optional.empty()));
        assertThat(run.failure()).isEqualTo("Step \"call\" failed: The step took longer than its time limit of 1m.");
    }

    @Test
    void withdrawsItsTimeLimitWhenItEnds() {
        RunOfFlow run = run(list(
                step("call", CALL, Model.timeout(Duration.ofMinutes(1), OnFailure.FAIL, RetryPolicy.NONE)),
                step("next", task())));
        Decision decision = run.succeed("call", "1");
        assertThat(decision.withdrawals()).containsExactly(new Withdrawal(new StepKey("call#limit"), Optional.empty()));
        assertThat(run.inProgress()).containsExactly("next");
    }

    @Test
    void isOneIterationOfALoop() {
        StepAction loop = forEach("[1,2]", 2, LoopOptions.DEFAULT, list(step("call", CALL)));
        RunOfFlow run = run(list(step("loop", loop)));
        assertThat(run.waits()).containsOnlyKeys("loop[0].call", "loop[1].call");
        run.succeed("loop[1].call", "2");
        run.succeed("loop[0].call", "1");
        assertThat(run.output()).isEqualTo("[1,2]");
    }

    @Test
    void failsIfThePathIsNotAString() {
        StepAction broken = new StepAction.ChildRun(value("${{ inputs.items }}"), Template.Constant.EMPTY_OBJECT);
        assertThat(run(list(step("call", broken))).failure())
                .isEqualTo("Step \"call\" failed: The path of the flow is an array (expected: a string).");
    }

    @Test
    void replacesASubFlowThatNeedsARunOfItsOwn() {
        RunOfFlow run = run(
                list(step("sub", new StepAction.SubFlow("limited", value("{\"k\":1}"))), step("after", compute("1"))),
                FlowOptions.NONE,
                new SubFlows(Map.of(), Set.of("limited")));
        assertThat(run.waits().get("sub"))
                .isEqualTo(new StartWait(
                        new StepKey("sub"), new StartWait.Until.RunEnded("limited", new Json("{\"k\":1}"))));
        run.succeed("sub", "2");
        assertThat(run.output()).isEqualTo("1");
    }
}
