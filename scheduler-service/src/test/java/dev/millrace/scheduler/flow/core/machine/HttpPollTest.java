package dev.millrace.scheduler.flow.core.machine;

import static dev.millrace.scheduler.flow.core.machine.Model.list;
import static dev.millrace.scheduler.flow.core.machine.Model.run;
import static dev.millrace.scheduler.flow.core.machine.Model.sideBySide;
import static dev.millrace.scheduler.flow.core.machine.Model.step;
import static dev.millrace.scheduler.flow.core.machine.Model.task;
import static dev.millrace.scheduler.flow.core.machine.Model.value;
import static dev.millrace.scheduler.flow.core.machine.Model.withOutput;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests requests that are sent until their response meets a condition. {@link RunOfFlow} folds the rows after each
 * event.
 */
class HttpPollTest {
    private static final RetryPolicy RETRY = new RetryPolicy(2, Duration.ZERO, 1, RetryPolicy.DELAY_MAX_DEFAULT, 0);
    private static final StepAction POLL = poll("${{ result.body.done }}", "${{ inputs.n }}", 3);

    private static StepAction poll(String until, String every, int requestsMax) {
        return new StepAction.HttpPoll(
                new StepAction.Task(
                        new TaskTarget.HandlerName("millrace.http"),
                        Template.object(Map.of("url", value("http://${{ inputs.mode }}"))),
                        new TaskOptions(Optional.empty(), 0, Optional.empty(), RETRY)),
                value(until),
                value(every),
                requestsMax);
    }

    @Test
    void sendsRequestsUntilTheConditionHolds() {
        RunOfFlow run = run(list(step("poll", POLL), step("next", task("${{ steps.poll.result.body.done }}"))));
        assertThat(run.live().values())
                .singleElement()
                .returns(new JobTarget.Handler("millrace.http"), StartJob::target)
                .returns(new Json("{\"url\":\"http://fast\"}"), StartJob::input);

        run.succeed("poll", "{\"body\":{\"done\":false}}");

        assertThat(run.waits().values())
                .containsExactly(
                        new StartWait(new StepKey("poll#delay"), new StartWait.Until.Passed(Duration.ofSeconds(3))));
        assertThat(run.live()).isEmpty();
        run.succeed("poll#delay", "null");
        assertThat(run.live()).containsOnlyKeys("poll");
        run.succeed("poll", "{\"body\":{\"done\":\"yes\"}}");
        assertThat(run.inputOf("next")).isEqualTo("{\"x\":\"yes\"}");
    }

    @Test
    void tellsItsIntervalHowManyRequestsThereWere() {
        RunOfFlow run = run(list(step("poll", poll("${{ result.body.done }}", "${{ retry }}", 5))));
        for (int requests = 1; requests <= 3; requests++) {
            run.succeed("poll", "{\"body\":{\"done\":false}}");

            assertThat(run.waits().values())
                    .containsExactly(new StartWait(
                            new StepKey("poll#delay"), new StartWait.Until.Passed(Duration.ofSeconds(requests))));
            run.succeed("poll#delay", "null");
        }
    }

    @Test
    void leavesARowForEachRequest() {
        RunOfFlow run = run(list(step("poll", POLL)));
        run.succeed("poll", "{\"body\":{\"done\":0}}");
        run.succeed("poll#delay", "null");
        run.succeed("poll", "{\"body\":{\"done\":1}}");
        assertThat(run.output()).isEqualTo("{\"body\":{\"done\":1}}");
        assertThat(run.journal().stream().map(row -> row.kind() + " " + row.key()))
                .containsExactly(
                        "HANDLER poll",
                        "RESET poll",
                        run.model().kind(new StepKey("poll#delay")) + " poll#delay",
                        "HANDLER poll");
    }

    @Test
    void givesEachRequestItsOwnRetries() {
        RunOfFlow run = run(list(step("poll", poll("${{ result }}", "0", 3))));
        assertThat(run.live().values()).singleElement().returns(1, StartJob::attempt);
        run.succeed("poll", "0");
        assertThat(run.live().values()).singleElement().returns(1, StartJob::attempt);
        assertThat(run.optionsOf("poll").retry()).isEqualTo(RETRY);
    }

    @Test
    void failsWithARequestThatFails() {
        RunOfFlow run = run(list(step("poll", POLL)));
        run.succeed("poll", "{\"body\":{\"done\":false}}");
        run.succeed("poll#delay", "null");
        run.failRetryably("poll", "gone");
        assertThat(run.failure()).isEqualTo("Step \"poll\" failed: gone");
    }

    @Test
    void failsAfterItsLastRequest() {
        RunOfFlow run = run(list(step("poll", poll("${{ result }}", "0", 2))));
        run.succeed("poll", "0");
        run.succeed("poll", "0");
        assertThat(run.failure())
                .isEqualTo(
                        "Step \"poll\" failed: The condition of the poll does not hold after 2 requests, the most that it"
                                + " allows. Correct the condition, or raise max_requests.");
    }

    @Test
    void failsWhereTheConditionCannotBeWorkedOut() {
        RunOfFlow run = run(withOutput(
                list(step("poll", POLL, Model.onFailure(OnFailure.CONTINUE))),
                "${{ steps.poll.result.error.message }}"));
        run.succeed("poll", "{\"status\":200}");
        assertThat(run.output()).contains("The condition to end the poll could not be resolved.");
    }

    @Test
    void failsWhereTheIntervalIsNoDuration() {
        RunOfFlow run = run(list(step("poll", poll("${{ result }}", "${{ inputs.items }}", 2))));
        run.succeed("poll", "0");
        assertThat(run.failure()).startsWith("Step \"poll\" failed: The duration is ");
    }

    @Test
    void cancelsTheRequestWhenItsTimeIsOver() {
        RunOfFlow run = run(list(
                step("poll", POLL, Model.timeout(Duration.ofMinutes(1), OnFailure.CONTINUE, RetryPolicy.NONE)),
                step("next", task())));
        assertThat(run.inProgress()).containsExactlyInAnyOrder("poll", "poll#limit");

        Decision decision = run.succeed("poll#limit", "null");

        assertThat(decision.withdrawals()).singleElement().satisfies(gone -> {
            assertThat(gone.key()).isEqualTo(new StepKey("poll"));
            assertThat(gone.reason()).get().returns("TimedOut", reason -> reason.name());
        });
        assertThat(run.inProgress()).containsExactly("next");
    }

    @Test
    void keepsItsTimeLimitBetweenTwoRequests() {
        RunOfFlow run =
                run(list(step("poll", POLL, Model.timeout(Duration.ofMinutes(1), OnFailure.FAIL, RetryPolicy.NONE))));
        run.succeed("poll", "{\"body\":{\"done\":false}}");
        assertThat(run.inProgress()).containsExactlyInAnyOrder("poll#delay", "poll#limit");
        run.succeed("poll#limit", "null");
        assertThat(run.failure()).isEqualTo("Step \"poll\" failed: The step took longer than its time limit of 1m.");
    }

    @Test
    void sendsNothingMoreWhereTheFlowHasFailed() {
        RunOfFlow run = run(sideBySide(step("poll", POLL), step("other", task())));
        run.fail("other", "bad");
        run.succeed("poll", "{\"body\":{\"done\":false}}");
        assertThat(run.failure()).isEqualTo("Step \"other\" failed: bad");
    }

    @Test
    void canBeSkippedWhileItWaits() {
        RunOfFlow run = run(list(step("poll", POLL)));
        run.succeed("poll", "{\"body\":{\"done\":false}}");
        run.on(new FlowEvent.SkipRequested(new StepKey("poll"), new Json("\"enough\"")));
        assertThat(run.output()).isEqualTo("\"enough\"");
    }

    @Test
    void countsItsRequestsAnewWhereTheRunIsRetried() {
        RunOfFlow run = run(list(step("poll", poll("${{ result }}", "0", 2))));
        run.succeed("poll", "0");
        run.succeed("poll", "0");
        run.retry();
        run.succeed("poll", "0");
        run.succeed("poll", "1");
        assertThat(run.output()).isEqualTo("1");
    }

    @Test
    void isOneIterationOfALoop() {
        StepAction loop =
                Model.forEach("[1,2]", 2, LoopOptions.DEFAULT, list(step("poll", poll("${{ result }}", "0", 9))));
        RunOfFlow run = run(list(step("loop", loop)));
        for (String key : List.of("loop[1].poll", "loop[0].poll", "loop[1].poll")) {
            run.succeed(key, "0");
        }
        run.succeed("loop[1].poll", "2");
        run.succeed("loop[0].poll", "1");
        assertThat(run.output()).isEqualTo("[1,2]");
        assertThat(run.journal().stream()
                        .filter(row -> row.kind() == JobKind.RESET)
                        .map(FinishedStep::key))
                .hasSize(3);
    }
}
