package dev.millrace.scheduler.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.JobPlanner;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.StepInput;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of retrying, restarting and rerunning runs, and of skipping steps. */
class RedoTest {
    private static final String THREE_STEPS = """
            millrace: v1
            name: three
            inputs: {x: {type: integer}}
            steps:
              - {id: a, handler: h, input: {x: "${{ inputs.x }}"}}
              - {id: b, handler: h, input: {x: "${{ steps.a.result }}"}}
              - {id: c, handler: h, input: {x: "${{ steps.b.result }}", y: "${{ inputs.x }}"}}
            """;
    private static final String LOOP = """
            millrace: v1
            name: loop
            steps:
              - id: each
                for_each: [1, 2]
                handler: h
                input: {x: "${{ item }}"}
              - {id: last, handler: h, input: {all: "${{ steps.each.result }}"}}
            """;
    private static final RunOperation RETRY = new RunOperation.Retry();

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");

    @Test
    void retriesTheFailedStepInPlaceAndKeepsWhatSucceeded() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        succeed("1");
        fail();
        assertThat(fixture.history(run)).containsExactly("|2|1|E", "a|1|1|1", "b|2|1|E");

        assertThat(fixture.operate(scheduler, run, RETRY, "again")).isEqualTo(new OperationResult.Done(true));
        assertThat(succeed("2")).isEqualTo("b {\"x\":1}");
        assertThat(succeed("3")).isEqualTo("c {\"x\":2,\"y\":5}");

        assertThat(fixture.history(run))
                .containsExactlyInAnyOrder("|1|1|3", "a|1|1|1", "b|2|1|E", "b#redo|1|1|null", "b|1|1|2", "c|1|1|3");
        assertThat(fixture.operations(run))
                .containsExactly(
                        "retry|tester|again|{\"error\":{\"name\":\"E\",\"message\":\"Step \\\"b\\\" failed: no\"}}");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void retriesAnIterationWithoutDoingTheOthersAgain() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LOOP), "{}"));
        succeed("10");
        fail();

        fixture.operate(scheduler, run, RETRY, "");
        assertThat(succeed("20")).isEqualTo("each[1] {\"x\":2}");
        assertThat(succeed("30")).isEqualTo("last {\"all\":[10,20]}");

        assertThat(fixture.history(run)).contains("|1|1|30", "each|1|1|[10,20]");
    }

    @Test
    void retriesAgainOnAnotherSchedulerThatRemembersAnEarlierLife() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        succeed("1");
        fail();
        OneScheduler other = fixture.start(1);
        fixture.operate(other, run, RETRY, "");
        FakeWorker elsewhere = other.connect(fixture.ids, 1, "handler:h");
        Delivery b = worker.hasDelivery() ? worker.nextDelivery() : elsewhere.nextDelivery();
        fixture.end(other, elsewhere, b, new AttemptResult.Failed(new JobError("E", "no", "", false)));
        elsewhere.nextAck();

        fixture.operate(scheduler, run, RETRY, "");
        Delivery again = take(elsewhere);
        fixture.succeed(scheduler, worker, again, "2");
        assertThat(worker.nextAck().refusal()).isEmpty();
        fixture.succeed(scheduler, worker, take(elsewhere), "3");
        assertThat(worker.nextAck().refusal()).isEmpty();

        assertThat(fixture.history(run)).contains("|1|1|3", "b|1|1|2", "c|1|1|3");
    }

    @Test
    void retriesACanceledRun() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        worker.nextDelivery();
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "");
        worker.nextCancellation();

        fixture.operate(scheduler, run, RETRY, "");

        assertThat(succeed("1")).isEqualTo("a {\"x\":5}");
    }

    @Test
    void givesASingleJobOneMoreAttempt() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{\"x\":1}", RetryPolicy.NONE));
        fail();

        fixture.operate(scheduler, run, RETRY, "");

        assertThat(succeed("7")).isEqualTo(" {\"x\":1}");
        assertThat(fixture.history(run)).containsExactly("|1|2|7");
    }

    @Test
    void refusesToRetryWhatGoesOnOrHasSucceeded() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(fixture.operate(scheduler, run, RETRY, "")).isEqualTo(OperationResult.live(run, RETRY));
        succeed("1");
        assertThat(fixture.operate(scheduler, run, RETRY, ""))
                .isInstanceOfSatisfying(
                        OperationResult.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.RUN_STATE_UNSUITABLE));
    }

    @Test
    void beginsANewRunAtAStepAndLeavesTheOldOneAlone() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        succeed("1");
        succeed("2");
        succeed("3");

        RunId rerun = rerun(run, Optional.of("b"), Optional.of(new Json("{\"x\":6}")));
        assertThat(succeed("20")).isEqualTo("b {\"x\":1}");
        assertThat(succeed("30")).isEqualTo("c {\"x\":20,\"y\":6}");

        assertThat(fixture.history(run)).containsExactly("|1|1|3", "a|1|1|1", "b|1|1|2", "c|1|1|3");
        assertThat(fixture.history(rerun)).containsExactly("|1|1|30", "a|1|1|1", "b|1|1|20", "c|1|1|30");
        assertThat(fixture.operations(run))
                .containsExactly(
                        "rerun|tester|why|{\"run_id\":\"" + rerun + "\",\"step\":\"b\",\"input_changed\":true}");
    }

    @Test
    void beginsANewRunOfAnotherVersionWithAnotherInputOfAStep() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        succeed("1");
        fail();
        String other = fixture.flow(THREE_STEPS
                .replace("{id: b,", "{id: fresh, handler: h, needs: []}\n  - {id: b, needs: [a, fresh],")
                .replace("y: \"${{ inputs.x }}\"", "z: 7"));
        RunId rerun = fixture.ids.nextRun();
        var asked = new Rerun(
                run,
                rerun,
                Optional.of("b"),
                Optional.empty(),
                Optional.of(other),
                Optional.of(new StepInput("b", new Json("{\"own\":9}"))));

        assertThat(scheduler
                        .rerun(asked, new OperationNote("tester", "why", ""))
                        .join())
                .isEqualTo(new OperationResult.Done(true));
        assertThat(succeed("3")).isEqualTo("fresh {}");
        assertThat(succeed("20")).isEqualTo("b {\"own\":9}");
        fail();
        fixture.operate(scheduler, rerun, RETRY, "");
        assertThat(succeed("30")).isEqualTo("c {\"x\":20,\"z\":7}");

        assertThat(fixture.history(rerun)).contains("|1|1|30", "a|1|1|1", "b|1|1|20", "fresh|1|1|3");
        assertThat(fixture.operations(run))
                .containsExactly("rerun|tester|why|{\"run_id\":\"" + rerun
                        + "\",\"step\":\"b\",\"input_changed\":false,\"flow_hash\":\"" + other
                        + "\",\"step_input_changed\":true}");
        RunId again = rerun(rerun, Optional.of("b"), Optional.empty());
        assertThat(succeed("21")).isEqualTo("b {\"own\":9}");
        succeed("31");
        assertThat(fixture.history(again)).contains("|1|1|31", "a|1|1|1", "fresh|1|1|3");
    }

    @Test
    void beginsANewRunInsideALoop() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LOOP), "{}"));
        succeed("10");
        succeed("20");
        succeed("30");

        RunId rerun = rerun(run, Optional.of("each[1]"), Optional.empty());
        assertThat(succeed("21")).isEqualTo("each[1] {\"x\":2}");
        assertThat(succeed("31")).isEqualTo("last {\"all\":[10,21]}");

        assertThat(fixture.history(rerun)).contains("|1|1|31", "each|1|1|[10,21]", "each[0]|1|1|10");
    }

    @Test
    void restartsARunWithItsInput() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{\"x\":1}", RetryPolicy.NONE));
        fail();

        RunId again = rerun(run, Optional.empty(), Optional.empty());

        assertThat(succeed("2")).isEqualTo(" {\"x\":1}");
        assertThat(fixture.history(again)).containsExactly("|1|1|2");
        assertThat(fixture.history(run)).containsExactly("|2|1|E");
    }

    @Test
    void refusesToBeginAtAStepThatIsNotThere() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));

        for (String step : new String[] {"nowhere", "a[0]", "a.b", "]["}) {
            assertThat(tryRerun(run, fixture.ids.nextRun(), Optional.of(step), Optional.empty()))
                    .as(step)
                    .isInstanceOfSatisfying(
                            OperationResult.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STEP_NOT_FOUND));
        }
    }

    @Test
    void knowsNoRunByTheIdOfAStep() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LOOP), "{}"));
        succeed("10");
        Delivery live = worker.nextDelivery();
        RunId liveStep = new RunId(live.lease().job().id().value());
        List<RunOperation> operations = List.of(
                RETRY, new RunOperation.Cancel(), new RunOperation.Pause(), new RunOperation.Skip("a", Json.NULL));
        for (RunOperation operation : operations) {
            assertThat(fixture.operate(scheduler, liveStep, operation, ""))
                    .as(operation.toString())
                    .isEqualTo(OperationResult.notFound(liveStep));
        }
        fixture.succeed(scheduler, worker, live, "20");
        worker.nextAck();
        succeed("30");

        for (RunId step : fixture.steps(run)) {
            assertThat(tryRerun(step, fixture.ids.nextRun(), Optional.empty(), Optional.empty()))
                    .isEqualTo(OperationResult.notFound(step));
            for (RunOperation operation : operations) {
                assertThat(fixture.operate(scheduler, step, operation, ""))
                        .as(operation.toString())
                        .isEqualTo(OperationResult.notFound(step));
            }
        }
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void skipsAStepThatRunsAndTellsItsWorker() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));
        Delivery a = worker.nextDelivery();

        fixture.operate(scheduler, run, new RunOperation.Skip("a", new Json("9")), "stuck");
        assertThat(worker.nextCancellation().job()).isEqualTo(a.lease().job().id());
        fixture.succeed(scheduler, worker, a, "1");
        assertThat(worker.nextAck().refusal()).isEqualTo(JobPlanner.REFUSED_LATE);

        assertThat(succeed("2")).isEqualTo("b {\"x\":9}");
        assertThat(fixture.history(run)).contains("a|4|1|9");
        assertThat(fixture.operations(run)).containsExactly("skip|tester|stuck|{\"step\":\"a\",\"result\":9}");
    }

    @Test
    void skipsOnlyWhatWaitsOrRuns() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{\"x\":5}"));

        assertThat(fixture.operate(scheduler, run, new RunOperation.Skip("c", Json.NULL), ""))
                .isEqualTo(OperationResult.stepNotFound(run, "c", "that waits or runs now"));
    }

    @Test
    void skipsAStepToWhichAnotherSchedulerHasCome() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: elsewhere
                steps:
                  - {id: a, handler: elsewhere}
                  - {id: hold, wait: {signal: go}}
                """), "{}"));
        OneScheduler other = fixture.start(1);
        FakeWorker there = other.connect(fixture.ids, 1, "handler:elsewhere");
        fixture.succeed(other, there, there.nextDelivery(), "1");
        assertThat(there.nextAck().refusal()).isEmpty();

        assertThat(fixture.operate(scheduler, run, new RunOperation.Skip("hold", new Json("2")), ""))
                .isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.history(run)).containsExactly("|1|1|2", "a|1|1|1", "hold|4|1|2");
    }

    @Test
    void skipsAStepBeforeItsDelayIsOver() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: delayed
                steps:
                  - {id: a, handler: h, delay: 1h}
                  - {id: b, handler: h, input: {x: "${{ steps.a.result }}"}}
                """), "{}"));

        fixture.operate(scheduler, run, new RunOperation.Skip("a", new Json("9")), "");

        assertThat(succeed("2")).isEqualTo("b {\"x\":9}");
        assertThat(fixture.history(run)).contains("a#delay|4|1|9", "a|4|1|9", "|1|1|2");
    }

    @Test
    void skipsAStepThatBeginsAgainAtOnceWithWhatIsAroundIt() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: again
                steps:
                  - id: outer
                    retry: {max_retries: 1}
                    for_each: [1]
                    steps: [{id: a, handler: h}, {id: b, value: "${{ steps.a.result.sum }}"}]
                """), "{}"));
        worker.nextDelivery();

        fixture.operate(scheduler, run, new RunOperation.Skip("outer[0].a", Json.NULL), "");

        assertThat(succeed("{\"sum\":3}")).isEqualTo("outer[0].a {}");
        assertThat(fixture.history(run)).contains("outer[0].a|4|1|null", "|1|1|[3]");
    }

    @Test
    void handlesTheFailureAnewWhereARetryFails() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: handled
                steps: [{id: a, handler: h}]
                on_failure: {steps: [{id: tidy, handler: h}]}
                """), "{}"));
        fail();
        assertThat(succeed("1")).isEqualTo("#failure.tidy {}");

        fixture.operate(scheduler, run, RETRY, "");
        Delivery a = worker.nextDelivery();
        assertThat(a.lease().job().stepKey()).isEqualTo("a");
        fixture.end(scheduler, worker, a, new AttemptResult.Failed(new JobError("E", "no", "", false)));
        worker.nextAck();
        assertThat(succeed("2")).isEqualTo("#failure.tidy {}");

        fixture.operate(scheduler, run, RETRY, "");
        assertThat(succeed("3")).isEqualTo("a {}");
        assertThat(fixture.history(run)).contains("|1|1|3");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void happensOnceForARequestIdHoweverOftenItIsAskedFor() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{\"x\":1}", RetryPolicy.NONE));
        fail();
        OperationNote note = new OperationNote("tester", "", "request-1");
        OneScheduler other = fixture.start(1);

        var first = scheduler.rerun(restart(run), note);
        var second = other.rerun(restart(run), note);
        assertThat(List.of(first.join(), second.join()))
                .containsExactlyInAnyOrder(new OperationResult.Done(true), new OperationResult.Done(false));
        assertThat(scheduler.operate(run, RETRY, note).join())
                .isEqualTo(OperationResult.requestIdReused("request-1", OperationKind.RESTART));

        assertThat(fixture.operations(run)).hasSize(1);
        assertThat(fixture.queued()).isEqualTo(1);
    }

    @Test
    void letsOneOfTwoSchedulersRetry() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LOOP), "{}"));
        succeed("10");
        fail();
        OneScheduler other = fixture.start(1);
        OperationNote note = new OperationNote("tester", "", "");

        var first = scheduler.operate(run, RETRY, note);
        var second = other.operate(run, RETRY, note);

        assertThat(List.of(first.join(), second.join()))
                .containsExactlyInAnyOrder(new OperationResult.Done(true), OperationResult.live(run, RETRY));
        assertThat(fixture.queued()).isEqualTo(2);
        assertThat(fixture.history(run)).contains("each#reopen|1|1|null", "each[1]#redo|1|1|null");
    }

    private Rerun restart(RunId run) {
        return new Rerun(run, fixture.ids.nextRun(), Optional.empty(), Optional.empty());
    }

    private RunId rerun(RunId run, Optional<String> from, Optional<Json> input) {
        RunId rerun = fixture.ids.nextRun();
        assertThat(tryRerun(run, rerun, from, input)).isEqualTo(new OperationResult.Done(true));
        return rerun;
    }

    private OperationResult tryRerun(RunId run, RunId rerun, Optional<String> from, Optional<Json> input) {
        return scheduler
                .rerun(new Rerun(run, rerun, from, input), new OperationNote("tester", "why", ""))
                .join();
    }

    private Delivery take(FakeWorker other) {
        while (!worker.hasDelivery() && !other.hasDelivery()) {
            Thread.onSpinWait();
        }
        return worker.hasDelivery() ? worker.nextDelivery() : other.nextDelivery();
    }

    /** Lets the next job succeed. Returns the key and the input of its step. */
    private String succeed(String result) {
        Delivery delivery = worker.nextDelivery();
        fixture.succeed(scheduler, worker, delivery, result);
        assertThat(worker.nextAck().refusal()).isEmpty();
        return delivery.lease().job().stepKey() + " " + delivery.input().text();
    }

    private void fail() {
        Delivery delivery = worker.nextDelivery();
        fixture.end(scheduler, worker, delivery, new AttemptResult.Failed(new JobError("E", "no", "", false)));
        assertThat(worker.nextAck().refusal()).isEmpty();
    }
}
