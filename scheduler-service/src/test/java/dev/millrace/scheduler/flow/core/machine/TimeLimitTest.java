package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.compute;
import static dev.millrace.scheduler.flow.core.machine.Model.forEach;
import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.parallel;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.skippingFailures;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static dev.millrace.scheduler.flow.core.machine.Model.withOutput;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the time limit on everything inside a container together. */
class TimeLimitTest {
    private static final String MESSAGE = "The step took longer than its time limit of 1m.";
    private static final StepPolicy MINUTE = limit(OnFailure.FAIL);

    @Test
    void cancelsWhatIsInsideAndFails() {
        RunOfFlow run = run(list(
                step("p", parallel(list(step("a", task())), list(step("b", task()))), MINUTE), step("c", task())));
        assertThat(run.waits().get("p#limit"))
                .isEqualTo(new StartWait(new StepKey("p#limit"), new StartWait.Until.Passed(Duration.ofMinutes(1))));
        run.succeed("p[0].a", "1");

        Decision decision = run.succeed("p#limit", "null");

        assertThat(decision.withdrawals())
                .extracting(Withdrawal::key, gone -> gone.reason().isPresent())
                .containsExactly(tuple(new StepKey("p[1].b"), true));
        assertThat(run.failure()).isEqualTo("Step \"p\" failed: " + MESSAGE);
        assertThat(run.rows().get("p[1].b")).isInstanceOf(Outcome.Canceled.class);
    }

    @Test
    void leavesTheQueueWithItsContainer() {
        RunOfFlow run = run(list(
                step("l", forEach("[1,2]", 1, skippingFailures(), list(step("a", task()))), MINUTE),
                step("b", task())));
        run.succeed("l[0].a", "1");

        Decision decision = run.succeed("l[1].a", "2");

        assertThat(decision.withdrawals()).containsExactly(new Withdrawal(new StepKey("l#limit"), Optional.empty()));
        assertThat(run.inProgress()).containsExactly("b");
        assertThat(run.rows()).doesNotContainKey("l#limit");
    }

    @Test
    void isNotEnqueuedIfTheContainerEndsAtOnce() {
        RunOfFlow run =
                run(list(step("l", forEach("[1]", 1, skippingFailures(), list(step("a", compute("1")))), MINUTE)));
        assertThat(run.output()).isEqualTo("[1]");
    }

    @Test
    void letsTheFlowContinueIfTheFailureIsTolerated() {
        RunOfFlow run = run(withOutput(
                list(step("p", parallel(list(step("a", task()))), limit(OnFailure.CONTINUE))),
                "${{ steps.p.result.error.name }}"));
        run.succeed("p#limit", "null");
        assertThat(run.output()).isEqualTo("\"TimedOut\"");
    }

    @Test
    void includesTheRetriesAndBeginsNoFurtherOne() {
        StepPolicy retried = Model.timeout(
                Duration.ofMinutes(1),
                OnFailure.FAIL,
                new RetryPolicy(5, Duration.ofSeconds(1), 1, RetryPolicy.DELAY_MAX_DEFAULT, 0));
        RunOfFlow run = run(list(step("p", parallel(list(step("a", task()))), retried)));
        run.fail("p[0].a", "no");
        assertThat(run.inProgress()).containsExactly("p#delay", "p#limit");
        run.succeed("p#delay", "null");
        run.fail("p[0].a", "no");

        run.succeed("p#limit", "null");

        assertThat(run.failure()).isEqualTo("Step \"p\" failed: " + MESSAGE);
    }

    @Test
    void endsWithTheContainerAroundIt() {
        RunOfFlow run = run(list(step(
                "outer",
                parallel(list(step("inner", parallel(list(step("a", task()))), limit(OnFailure.CONTINUE)))),
                MINUTE)));
        assertThat(run.inProgress())
                .containsExactlyInAnyOrder("outer#limit", "outer[0].inner#limit", "outer[0].inner[0].a");
        run.succeed("outer#limit", "null");
        assertThat(run.failure()).startsWith("Step \"outer\" failed");
        assertThat(run.inProgress()).isEmpty();
    }

    @Test
    void startsAgainWhenTheRunIsRetried() {
        RunOfFlow run = run(list(step("p", parallel(list(step("a", task()), step("b", task()))), MINUTE)));
        run.succeed("p[0].a", "1");
        run.fail("p[0].b", "no");
        assertThat(run.end()).isPresent();

        run.retry();

        assertThat(run.inProgress()).containsExactlyInAnyOrder("p#limit", "p[0].b");
        run.succeed("p[0].b", "2");
        assertThat(run.output()).isEqualTo("[2]");
    }

    private static StepPolicy limit(OnFailure onFailure) {
        return Model.timeout(Duration.ofMinutes(1), onFailure, RetryPolicy.NONE);
    }

    @Test
    void isTheShorterOfTheLimitsOfTheStepAndItsSubFlow() {
        assertThat(limitOf(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        assertThat(limitOf(Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(1));
    }

    private static Duration limitOf(Duration inside) {
        FlowOptions options = FlowOptions.NONE
                .change()
                .timeout(Optional.of(inside))
                .undeclared(FlowOptions.Undeclared.KEPT)
                .build();
        FlowDefinition flow = new FlowDefinition("", "", List.of(), list(step("a", task())), options);
        RunOfFlow run = run(list(step("sub", new StepAction.InlineFlow(flow, value("{}")), MINUTE)));
        StartWait limit = Objects.requireNonNull(run.waits().get("sub#limit"));
        return ((StartWait.Until.Passed) limit.until()).time();
    }
}
