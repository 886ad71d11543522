package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.signal.SignalResult;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of flows that evaluate scripts: no lane waits for a value, yet decisions are as if it had. */
class ComputingFlowsTest {
    private static final String TAG = "handler:h";
    /** Takes about 50 ms. */
    private static final String SLOW =
            "(() => { let s = 0; for (let i = 0; i < 150000; i++) { s += i % 7; } return s > 0; })()";

    private static final String THEN_COMPUTES = """
            millrace: v1
            name: then-computes
            steps: [{id: a, handler: h}, {id: b, value: "${{ [steps.a.result].map(x => x) }}"}]
            """;

    private static final String USES_UP_ITS_EVALUATOR = """
            millrace: v1
            name: never-ending
            steps: [{id: a, value: '${{ (() => { for (;;); })() }}'}]
            """;

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void oneRunThatComputesForLongDelaysNoOther() {
        String slow = fixture.flow("""
                millrace: v1
                name: slow
                inputs: {items: {type: array}}
                steps:
                  - id: each
                    for_each: ${{ inputs.items }}
                    steps:
                      - {id: one, value: "${{ %s }}"}
                """.formatted(SLOW));
        String plain = fixture.flow("{millrace: v1, name: plain, steps: [{id: a, handler: h}, {id: b, handler: h}]}");
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        StringBuilder items = new StringBuilder("{\"items\":[0");
        for (int i = 1; i < 40; i++) {
            items.append(',').append(i);
        }

        CompletableFuture<SubmitResult> slowRun = scheduler
                .lanes()
                .submit(new Submission(
                        Workspace.DEFAULT,
                        Optional.empty(),
                        List.of(fixture.flowRun(slow, items.append("]}").toString()))));
        RunId quick = fixture.submit(scheduler, fixture.flowRun(plain, "{}"));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        worker.nextAck();
        worker.nextAck();

        assertThat(slowRun.join()).isInstanceOf(SubmitResult.Accepted.class);
        assertThat(fixture.history(quick)).containsExactly("|1|1|2", "a|1|1|1", "b|1|1|2");
        assertThat(fixture.queued()).as("the run that still computes").isOne();
    }

    /** What the flow does next must be prepared anew after each refusal, which must not hide the refusal. */
    @Test
    void answersALateResultAfterWhichTheFlowComputes() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THEN_COMPUTES), "{}"));
        Delivery delivery = worker.nextDelivery();
        fixture.testDatabase.execute(
                "update job_queue set lease_token = lease_token + 1 where lease_token is not null");

        fixture.succeed(scheduler, worker, delivery, "1");

        assertThat(worker.nextAck().refusal()).isEqualTo(JobPlanner.REFUSED_LATE);
        assertThat(fixture.history(run)).isEmpty();
    }

    @Test
    void endsAStepWhoseResultIsBeyondTheDatabase() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THEN_COMPUTES), "{}"));
        int levels = 50_000;

        fixture.succeed(scheduler, worker, worker.nextDelivery(), "[".repeat(levels) + "]".repeat(levels));

        assertThat(worker.nextAck().refusal()).isEmpty();
        fixture.awaitEnd(run);
        assertThat(fixture.history(run)).contains("a|2|1|ResultError");
    }

    /** As if no repetition could heal what the database refuses. */
    @Test
    void othersGoOnWhileTheDatabaseKeepsRefusingWhatAFlowComputes() {
        FakeWorker worker = scheduler.connect(fixture.ids, 2, TAG);
        RunId stuck = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THEN_COMPUTES), "{}"));
        Delivery delivery = worker.nextDelivery();
        fixture.testDatabase.execute("alter table job_history add constraint refuses_b check (step_key <> 'b')");

        fixture.succeed(scheduler, worker, delivery, "1");
        assertThat(worker.nextAck().refusal()).isEmpty();

        fixture.awaitEnd(stuck);
        assertThat(fixture.history(stuck)).contains("|2|1|InternalError");
    }

    @Test
    void acceptsARunBeforeItEvaluatesAnExpression() {
        String flow = fixture.flow(USES_UP_ITS_EVALUATOR);

        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));

        assertThat(fixture.states(run)).as("pending, while it evaluates").containsExactly(JobState.TO_START);
        assertThat(fixture.history(run)).isEmpty();
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");
        assertThat(fixture.history(run)).containsExactly("|3|1|Canceled");
    }

    @Test
    void repeatsARunBeforeItEvaluatesAnExpression() {
        String flow = fixture.flow("""
                millrace: v1
                name: repeated
                inputs: {long: {type: boolean, default: false}}
                steps: [{id: a, value: '${{ inputs.long ? (() => { for (;;); })() : 1 }}'}]
                """);
        NewRun run = fixture.flowRun(flow, "{\"long\": false}");
        fixture.submit(scheduler, run);
        fixture.awaitEnd(run.id());
        RunId again = fixture.ids.nextRun(run.id().bucket());
        Rerun rerun = new Rerun(run.id(), again, Optional.empty(), Optional.of(new Json("{\"long\": true}")));

        OperationResult accepted = scheduler.rerun(rerun, OperationNote.NONE).join();

        assertThat(accepted).isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.states(again)).containsExactly(JobState.TO_START);
        fixture.operate(scheduler, again, new RunOperation.Cancel(), "enough");
    }

    @Test
    void retriesARunBeforeItEvaluatesAnExpression() {
        String flow = fixture.flow(USES_UP_ITS_EVALUATOR);
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        OperationResult accepted = fixture.operate(scheduler, run, new RunOperation.Retry(), "");

        assertThat(accepted).isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.states(run)).as("pending, while it evaluates").containsExactly(JobState.TO_START);
        fixture.awaitEnd(run);
        assertThat(fixture.history(run)).contains("a|2|1|ExpressionLimit", "|2|1|ExpressionLimit");
    }

    /** Whatever the flow does later, its first step is leased in the transaction that accepts the run. */
    @Test
    void beginsAtOnceIfThatEvaluatesNothing() {
        String flow = fixture.flow("""
                millrace: v1
                name: later
                steps: [{id: a, handler: h}, {id: b, value: "${{ steps.a.result + 1 }}"}]
                """);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);

        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));

        assertThat(fixture.states(run)).containsExactlyInAnyOrder(JobState.FLOW_RUNNING, JobState.LEASED);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "5");
        worker.nextAck();
        assertThat(fixture.history(run)).contains("|1|1|6");
    }

    @Test
    void manyResultsOfOneRunKeepTheirOrderAndAreCountedOnce() {
        String flow = fixture.flow("""
                millrace: v1
                name: many
                inputs: {items: {type: array}}
                steps:
                  - id: each
                    for_each: ${{ inputs.items }}
                    parallelism: 50
                    steps:
                      - {id: call, handler: h, input: {x: "${{ item * 2 }}"}}
                      - {id: next, handler: h, input: {x: "${{ steps.call.result + 1 }}"}}
                  - {id: sum, value: "${{ steps.each.result.reduce((a, b) => a + b, 0) }}"}
                """);
        FakeWorker worker = scheduler.connect(fixture.ids, 50, TAG);
        int items = 50;
        StringBuilder input = new StringBuilder("{\"items\":[0");
        for (int i = 1; i < items; i++) {
            input.append(',').append(i);
        }
        RunId run = fixture.submit(
                scheduler, fixture.flowRun(flow, input.append("]}").toString()));

        List<Delivery> first = deliveries(worker, items);
        first.forEach(delivery -> fixture.succeed(scheduler, worker, delivery, x(delivery)));
        List<Delivery> second = deliveries(worker, items);
        second.forEach(delivery -> fixture.succeed(scheduler, worker, delivery, x(delivery)));
        for (int i = 0; i < 2 * items; i++) {
            assertThat(worker.nextAck().refusal()).isEmpty();
        }

        int expected = 0;
        for (int i = 0; i < items; i++) {
            expected += 2 * i + 1;
        }
        assertThat(fixture.history(run)).contains("|1|1|" + expected, "sum|1|1|" + expected);
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void aCancelDoesNotWaitForValuesThatNobodyNeedsAnyMore() {
        String flow = fixture.flow("""
                millrace: v1
                name: long
                steps:
                  - {id: a, handler: h}
                  - id: each
                    for_each: ${{ steps.a.result }}
                    steps:
                      - {id: one, value: "${{ %s }}"}
                  - {id: b, handler: h}
                """.formatted(SLOW));
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        StringBuilder items = new StringBuilder("[0");
        for (int i = 1; i < 1_000; i++) {
            items.append(',').append(i);
        }
        fixture.succeed(
                scheduler, worker, worker.nextDelivery(), items.append(']').toString());

        OperationResult canceled = fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        assertThat(canceled).isEqualTo(new OperationResult.Done(true));
        assertThat(worker.nextAck().job()).isNotNull();
        assertThat(fixture.history(run))
                .contains("|3|1|Canceled")
                .as("values that were evaluated before the cancel was heard")
                .noneMatch(row -> row.startsWith("each[999].one|"));
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void retriesRerunsAndStartsOfOtherRunsEvaluateToo() {
        String flow = fixture.flow("""
                millrace: v1
                name: retried
                steps:
                  - {id: start, start: {flow: other, input: {n: "${{ 1 + 1 }}"}}}
                  - {id: a, handler: h, input: {x: "${{ [steps.start.result.run_id].length + 36 }}"}}
                  - {id: b, value: "${{ steps.a.result + 1 }}"}
                """);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        Delivery first = worker.nextDelivery();
        assertThat(x(first)).isEqualTo("37");
        fixture.end(scheduler, worker, first, new AttemptResult.Failed(JobError.permanent("Bad", "bad")));
        worker.nextAck();

        assertThat(fixture.operate(scheduler, run, new RunOperation.Retry(), ""))
                .isEqualTo(new OperationResult.Done(true));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "5");
        worker.nextAck();

        assertThat(fixture.history(run)).contains("|1|1|6", "b|1|1|6");
    }

    @Test
    void aStepWhoseExpressionKillsItsEvaluatorFailsAndOthersGoOn() {
        String killing = fixture.flow("""
                millrace: v1
                name: killing
                steps:
                  - {id: a, handler: h}
                  - {id: b, value: '${{ jq.query(".[1000000000] = 1", steps.a.result) }}'}
                """);
        FakeWorker worker = scheduler.connect(fixture.ids, 2, TAG);
        NewRun killer = fixture.flowRun(killing, "{}");
        fixture.submit(scheduler, killer);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "[1]");
        RunId other = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        worker.nextAck();
        worker.nextAck();

        assertThat(fixture.history(other)).containsExactly("|1|1|2");
        assertThat(fixture.history(killer.id())).contains("b|2|1|ExpressionLimit", "|2|1|ExpressionLimit");
    }

    /** A signal changes its run before moving it. When the signal is planned again, the run must be as it was. */
    @Test
    void signalsSkipsAndPausesEvaluateToo() {
        String flow = fixture.flow("""
                millrace: v1
                name: signaled
                steps:
                  - {id: hold, wait: {signal: go}}
                  - {id: a, value: "${{ steps.hold.result.payload + 1 }}"}
                  - {id: b, handler: h, input: {x: "${{ steps.a.result * 2 }}"}}
                  - {id: c, value: "${{ steps.b.result + 1 }}"}
                """);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        UUID id = fixture.ids.nextUuid();
        RunSignal signal = new RunSignal(
                id, new RunSignal.Address.Name("go"), SignalKind.RESUME, new Json("4"), "", id.toString());

        SignalResult received = scheduler.send(run, signal).join();
        Delivery delivery = worker.nextDelivery();
        fixture.operate(scheduler, run, new RunOperation.Pause(), "");
        fixture.operate(scheduler, run, new RunOperation.Resume(), "");
        OperationResult skipped = fixture.operate(scheduler, run, new RunOperation.Skip("b", new Json("7")), "");

        assertThat(received).isInstanceOf(SignalResult.Received.class);
        assertThat(x(delivery)).isEqualTo("10");
        assertThat(skipped).isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.history(run)).contains("c|1|1|8", "|1|1|8");
    }

    private static List<Delivery> deliveries(FakeWorker worker, int count) {
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            deliveries.add(worker.nextDelivery());
        }
        return deliveries;
    }

    /** The number in a job's input. */
    private static String x(Delivery delivery) {
        String input = delivery.input().text();
        return input.substring(input.indexOf(':') + 1, input.length() - 1).strip();
    }
}
