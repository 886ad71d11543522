package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final String TWO_STEPS = """
            millrace: v1
            name: two
            steps:
              - {id: a, handler: h, input: {x: "${{ inputs.x }}"}}
              - {id: b, handler: h, input: {x: "${{ steps.a.result }}"}}
            inputs:
              x: {type: integer}
            """;
    private static final RetryPolicy ONE_RETRY = new RetryPolicy(1, Duration.ZERO, 1, RetryPolicy.DELAY_MAX_DEFAULT, 0);

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void leasesASubmittedJobToAnIdleWorkerAndRecordsItsResultOnce() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        NewRun run = fixture.handlerRun("h", "{\"x\":1}", RetryPolicy.NONE);
        CompletableFuture<RunId> ended = fixture.events.whenEnded(run.id());

        fixture.submit(scheduler, run);
        Delivery delivery = worker.nextDelivery();
        fixture.succeed(scheduler, worker, delivery, "[1, 2]");

        assertThat(delivery.input().text()).isEqualTo("{\"x\":1}");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run.id())).containsExactly("|1|1|[1, 2]");
        assertThat(fixture.queued()).isZero();
        assertThat(ended).isCompletedWithValue(run.id());
    }

    @Test
    void acceptsTheSameResultTwiceAndRecordsItOnce() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery delivery = worker.nextDelivery();

        fixture.succeed(scheduler, worker, delivery, "1");
        fixture.succeed(scheduler, worker, delivery, "1");

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).hasSize(1);
    }

    @Test
    void refusesALateResultAfterTheJobWasGivenToAnotherWorker() {
        FakeWorker first = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery lost = first.nextDelivery();
        scheduler.slots().disconnect(first);
        FakeWorker second = scheduler.connect(fixture.ids, 1, "handler:h");

        fixture.end(scheduler, first, lost, new AttemptResult.WorkerLost("first", true));
        Delivery again = second.nextDelivery();
        first.nextAck();
        fixture.succeed(scheduler, first, lost, "\"late\"");
        String refusal = first.nextAck().refusal();
        fixture.succeed(scheduler, second, again, "\"right\"");
        second.nextAck();

        assertThat(refusal).isEqualTo(JobPlanner.REFUSED_LATE);
        assertThat(again.lease().job().attempt()).isEqualTo(2);
        assertThat(fixture.history(run)).containsExactly("|1|2|\"right\"");
    }

    @Test
    void givesNoAttemptOutTwiceAndBlamesNoJobThatHadNotBegun() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RetryPolicy oneRetry = new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, 0);
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", oneRetry));

        for (int loss = 0; loss < 5; loss++) {
            Delivery delivery = worker.nextDelivery();
            assertThat(delivery.lease().job().attempt()).isEqualTo(1 + loss);
            fixture.end(scheduler, worker, delivery, new AttemptResult.WorkerLost("w", false));
            worker.nextAck();
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            JobError error = new JobError("E", "m", "", true);
            fixture.end(scheduler, worker, worker.nextDelivery(), new AttemptResult.Failed(error));
            worker.nextAck();
        }

        assertThat(fixture.history(run)).containsExactly("|2|7|E");
    }

    @Test
    void failsAJobThatKeepsLosingItsWorkers() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        for (int loss = 0; loss < 3; loss++) {
            fixture.end(scheduler, worker, worker.nextDelivery(), new AttemptResult.WorkerLost("w", true));
            worker.nextAck();
        }

        assertThat(fixture.history(run)).containsExactly("|2|3|WorkerLost");
    }

    @Test
    void retriesAFailedAttemptAndThenFails() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", ONE_RETRY));
        AttemptResult failure = new AttemptResult.Failed(new JobError("ValueError", "no", "", true));

        fixture.end(scheduler, worker, worker.nextDelivery(), failure);
        Delivery second = worker.nextDelivery();
        fixture.end(scheduler, worker, second, failure);
        worker.nextAck();
        worker.nextAck();

        assertThat(second.lease().job().attempt()).isEqualTo(2);
        assertThat(fixture.history(run)).containsExactly("|2|2|ValueError");
    }

    @Test
    void carriesAFlowFromStepToStep() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(TWO_STEPS), "{\"x\": 5}"));

        Delivery a = worker.nextDelivery();
        fixture.succeed(scheduler, worker, a, "6");
        Delivery b = worker.nextDelivery();
        fixture.succeed(scheduler, worker, b, "7");
        worker.nextAck();
        worker.nextAck();

        assertThat(a.input().text()).isEqualTo("{\"x\":5}");
        assertThat(b.input().text()).isEqualTo("{\"x\":6}");
        assertThat(fixture.history(run)).containsExactly("|1|1|7", "a|1|1|6", "b|1|1|7");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void goesOnWithAFlowThatAnotherSchedulerBegan() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(TWO_STEPS), "{\"x\": 5}"));
        Delivery a = worker.nextDelivery();
        OneScheduler other = fixture.start(2);
        FakeWorker otherWorker = other.connect(fixture.ids, 1, "handler:h");

        fixture.succeed(other, otherWorker, a, "6");
        otherWorker.nextAck();
        Delivery b = otherWorker.nextDelivery();
        fixture.succeed(scheduler, worker, b, "7");
        worker.nextAck();

        assertThat(fixture.history(run)).containsExactly("|1|1|7", "a|1|1|6", "b|1|1|7");
    }

    @Test
    void endsOnlyTheOffenderOfABatch() {
        FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");
        RunId bad = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        RunId good = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        Delivery first = worker.nextDelivery();
        Delivery second = worker.nextDelivery();

        fixture.succeed(scheduler, worker, first, "{not json");
        fixture.succeed(scheduler, worker, second, "true");
        worker.nextAck();
        worker.nextAck();

        assertThat(fixture.history(bad)).containsExactly("|2|1|ResultError");
        assertThat(fixture.history(good)).containsExactly("|1|1|true");
    }

    @Test
    void endsAJobWhoseResultIsBeyondTheDatabase() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        int levels = 50_000;

        fixture.succeed(scheduler, worker, worker.nextDelivery(), "[".repeat(levels) + "]".repeat(levels));
        assertThat(worker.nextAck().refusal()).isEmpty();

        assertThat(fixture.history(run)).containsExactly("|2|1|ResultError");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void findsTheFirstRunAgainByRequestId() {
        RequestId request = new RequestId("r1", "aa".repeat(32));
        NewRun first = fixture.handlerRun("h", "{}", RetryPolicy.NONE);

        fixture.submit(scheduler, Optional.of(request), first);
        SubmitResult again =
                fixture.submit(scheduler, Optional.of(request), fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        SubmitResult other = fixture.submit(
                scheduler,
                Optional.of(new RequestId("r1", "bb".repeat(32))),
                fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(again).isEqualTo(new SubmitResult.Duplicate(List.of(first.id())));
        assertThat(other).isEqualTo(new SubmitResult.Conflict());
        assertThat(fixture.queued()).isEqualTo(1);
    }

    @Test
    void cancelsARunningFlowAndTellsTheWorker() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(TWO_STEPS), "{\"x\": 5}"));
        Delivery a = worker.nextDelivery();

        OperationResult canceled = fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");
        fixture.succeed(scheduler, worker, a, "6");

        assertThat(canceled).isEqualTo(new OperationResult.Done(true));
        assertThat(worker.nextCancellation().job()).isEqualTo(a.lease().job().id());
        assertThat(worker.nextAck().refusal()).isEqualTo(JobPlanner.REFUSED_LATE);
        assertThat(fixture.history(run)).containsExactly("|3|1|Canceled", "a|3|1|Canceled");
        RunOperation cancel = new RunOperation.Cancel();
        RunId unknown = fixture.ids.nextRun();
        assertThat(fixture.operate(scheduler, run, cancel, "")).isEqualTo(OperationResult.ended(run, cancel));
        assertThat(fixture.operate(scheduler, unknown, cancel, "")).isEqualTo(OperationResult.notFound(unknown));
        assertThat(fixture.operations(run)).containsExactly("cancel|tester|enough|{}");
    }

    @Test
    void givesWaitingJobsInOrderOfPriorityAndAge() {
        NewRun older = fixture.handlerRun("h", "\"older\"", RetryPolicy.NONE);
        NewRun younger = fixture.handlerRun("h", "\"younger\"", RetryPolicy.NONE);
        fixture.submit(scheduler, older);
        fixture.submit(scheduler, younger);

        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        Delivery first = worker.nextDelivery();
        boolean moreThanRoom = worker.hasDelivery();
        fixture.succeed(scheduler, worker, first, "1");
        Delivery second = worker.nextDelivery();

        assertThat(first.input().text()).isEqualTo("\"older\"");
        assertThat(moreThanRoom).isFalse();
        assertThat(second.input().text()).isEqualTo("\"younger\"");
    }

    @Test
    void sharesTheQueueBetweenTwoSchedulersWithoutLeasingAnythingTwice() {
        OneScheduler other = fixture.start(2);
        int runs = 200;
        for (int i = 0; i < runs; i++) {
            fixture.submit(i % 2 == 0 ? scheduler : other, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        }

        FakeWorker here = scheduler.connect(fixture.ids, runs / 2, "handler:h");
        FakeWorker there = other.connect(fixture.ids, runs / 2, "handler:h");
        Set<RunId> leased = new HashSet<>();
        for (int i = 0; i < runs / 2; i++) {
            leased.add(here.nextDelivery().lease().job().run());
            leased.add(there.nextDelivery().lease().job().run());
        }

        assertThat(leased).hasSize(runs);
    }
}
