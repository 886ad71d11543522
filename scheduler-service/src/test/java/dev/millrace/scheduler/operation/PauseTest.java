package dev.millrace.scheduler.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of pausing and resuming runs. */
class PauseTest {
    private static final String TWO_STEPS = """
            millrace: v1
            name: two
            steps:
              - {id: a, handler: h}
              - {id: b, handler: h}
            """;
    private static final int MANY_RUNS = 200;
    private static final RunOperation PAUSE = new RunOperation.Pause();
    private static final RunOperation RESUME = new RunOperation.Resume();

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void letsTheRunningStepFinishAndHoldsTheNextUntilResumed() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(TWO_STEPS), "{}"));
        Delivery a = worker.nextDelivery();

        pause(run);
        fixture.succeed(scheduler, worker, a, "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(states(run)).containsExactly("|4", "b#hold|6");
        resume(run);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        worker.nextAck();

        assertThat(fixture.history(run)).containsExactly("|1|1|2", "a|1|1|1", "b|1|1|2");
        assertThat(fixture.operations(run)).containsExactly("pause|tester|why|{}", "resume|tester|why|{}");
    }

    /** Counts statements: reading each run on its own would take one or two statements a run. */
    @Test
    void readsWhatItNeedsOfManyRunsAtOnce() {
        String hash = fixture.flow(TWO_STEPS);
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < MANY_RUNS; i++) {
            runs.add(fixture.submit(
                    scheduler,
                    i % 2 == 0 ? fixture.flowRun(hash, "{}") : fixture.handlerRun("h", "{}", RetryPolicy.NONE)));
        }
        AtomicInteger statements = new AtomicInteger();
        OneScheduler other = fixture.start(1, () -> counting(fixture.database.openForLane("lane"), statements));
        OperationNote note = new OperationNote("tester", "why", "all");

        List<CompletableFuture<OperationResult>> paused =
                runs.stream().map(run -> other.operate(run, PAUSE, note)).toList();
        assertThat(paused).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(new OperationResult.Done(true)));
        assertThat(statements.get()).isLessThan(MANY_RUNS / 2);

        List<CompletableFuture<OperationResult>> repeated =
                runs.stream().map(run -> other.operate(run, PAUSE, note)).toList();
        assertThat(repeated).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(new OperationResult.Done(false)));
        assertThat(fixture.operations(runs.getFirst())).containsExactly("pause|tester|why|{}");
    }

    /** The connection, wrapped to count its statements. */
    private static Connection counting(Connection connection, AtomicInteger statements) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.incrementAndGet();
                    }
                    return method.invoke(connection, arguments);
                });
    }

    @Test
    void holdsAJobThatWaitsForAWorker() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        RunId other = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        pause(run);
        FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");
        Delivery first = worker.nextDelivery();
        resume(run);
        Delivery second = worker.nextDelivery();

        assertThat(first.lease().job().run()).isEqualTo(other);
        assertThat(second.lease().job().run()).isEqualTo(run);
    }

    @Test
    void holdsTheRetryOfAnAttemptThatFailsDuringThePause() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RetryPolicy retry = new RetryPolicy(1, Duration.ZERO, 1, RetryPolicy.DELAY_MAX_DEFAULT, 0);
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", retry));
        Delivery first = worker.nextDelivery();

        pause(run);
        fixture.end(scheduler, worker, first, new AttemptResult.Failed(new JobError("E", "no", "", true)));
        worker.nextAck();

        assertThat(states(run)).containsExactly("|6");
        resume(run);
        assertThat(worker.nextDelivery().lease().job().attempt()).isEqualTo(2);
    }

    @Test
    void survivesARestartAndHoldsOnEveryScheduler() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(TWO_STEPS), "{}"));
        Delivery a = worker.nextDelivery();

        OneScheduler other = fixture.start(1);
        fixture.operate(other, run, PAUSE, "why");
        // The first scheduler still has the flow's state from before the pause.
        fixture.succeed(scheduler, worker, a, "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(states(run)).containsExactly("|4", "b#hold|6");

        OneScheduler restarted = fixture.start(1);
        FakeWorker later = restarted.connect(fixture.ids, 1, "handler:h");
        assertThat(fixture.operate(restarted, run, RESUME, "why")).isEqualTo(new OperationResult.Done(true));
        assertThat(later.nextDelivery().lease().job().stepKey()).isEqualTo("b");
    }

    @Test
    void isDoneOnceHoweverOftenItIsAskedFor() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(fixture.operate(scheduler, run, RESUME, "")).isEqualTo(new OperationResult.Done(false));
        assertThat(fixture.operate(scheduler, run, PAUSE, "")).isEqualTo(new OperationResult.Done(true));
        assertThat(fixture.operate(scheduler, run, PAUSE, "")).isEqualTo(new OperationResult.Done(false));
        assertThat(fixture.operations(run)).hasSize(1);
    }

    @Test
    void cancelsARunThatIsPaused() {
        RunId run = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        pause(run);

        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        assertThat(fixture.history(run)).containsExactly("|3|1|Canceled");
        assertThat(fixture.queued()).isZero();
        assertThat(fixture.operate(scheduler, run, PAUSE, "")).isEqualTo(OperationResult.ended(run, PAUSE));
    }

    @Test
    void beginsNothingThatNeedsNoWorkerEither() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                                millrace: v1
                                name: server-side
                                steps:
                                  - {id: a, handler: h}
                                  - {id: b, value: 1}
                                  - {id: c, start: {flow: other}}
                                  - {id: d, for_each: [1, 2], steps: [{id: e, value: "${{ item }}"}]}
                                """), "{}"));
        Delivery a = worker.nextDelivery();

        pause(run);
        fixture.succeed(scheduler, worker, a, "1");
        worker.nextAck();
        assertThat(fixture.history(run)).containsExactly("a|1|1|1");
        OneScheduler other = fixture.start(1);
        fixture.operate(other, run, RESUME, "why");

        assertThat(fixture.history(run)).contains("|1|1|[1,2]", "b|1|1|1").noneMatch(row -> row.contains("#h"));
        assertThat(states(run)).isEmpty();
    }

    private void pause(RunId run) {
        assertThat(fixture.operate(scheduler, run, PAUSE, "why")).isEqualTo(new OperationResult.Done(true));
    }

    private void resume(RunId run) {
        assertThat(fixture.operate(scheduler, run, RESUME, "why")).isEqualTo(new OperationResult.Done(true));
    }

    private List<String> states(RunId run) {
        return fixture.database.run(context -> context.fetch(
                        "select step_key || '|' || state from job_queue where run_id = ? order by step_key",
                        run.value())
                .getValues(0, String.class));
    }
}
