package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.AssumedVersion;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of a lane whose flushes the database rejects, or whose database becomes unavailable. */
class LaneFaultTest {
    private static final String THREE_STEPS = """
            millrace: v1
            name: three
            steps:
              - {id: a, handler: h}
              - {id: b, handler: h}
              - {id: c, handler: h}
            """;

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    @Test
    void keepsNothingOfAFlushThatOneStatementRefuses() throws Exception {
        NewRun run = fixture.handlerRun("h", "{}", RetryPolicy.NONE);
        Submission submission =
                new Submission(Workspace.DEFAULT, Optional.of(new RequestId("r", "aa".repeat(32))), List.of(run));
        FlowTransition ofNoFlow = new FlowTransition(run.id(), 1, 1, Optional.empty());

        try (LaneConnection db = fixture.laneConnection()) {
            FlushRows rows = new FlushRows(new SchedulerId(new UUID(0, 1)));
            rows.add(RecordSubmissionStatement.SECTION, submission);
            rows.add(AdvanceFlowsStatement.SECTION, ofNoFlow);
            assertThatThrownBy(() -> db.flush(rows))
                    .isInstanceOf(FlushRefused.class)
                    .hasMessageContaining("advance_flows touched 0 rows (expected: 1)");
            assertThat(fixture.laneStore(db).findEarlier(submission)).isEmpty();
        }
    }

    @Test
    void goesOnWithAFlowAfterItsConnectionsAreCut() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{}"));

        for (String result : List.of("1", "2", "3")) {
            Delivery delivery = worker.nextDelivery();
            fixture.testDatabase.execute(LaneFixture.CUT_LANES);
            fixture.succeed(scheduler, worker, delivery, result);
            assertThat(worker.nextAck().refusal()).isEmpty();
        }

        assertThat(fixture.history(run)).containsExactly("|1|1|3", "a|1|1|1", "b|1|1|2", "c|1|1|3");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void failsNoStepBecauseTheModelOfItsFlowCannotBeReadNow() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{}"));

        for (String result : List.of("1", "2", "3")) {
            Delivery delivery = worker.nextDelivery();
            fixture.compiled.clear();
            fixture.modelsToMiss.set(3);
            fixture.testDatabase.execute(LaneFixture.CUT_LANES);
            fixture.succeed(scheduler, worker, delivery, result);
            assertThat(worker.nextAck().refusal()).isEmpty();
            assertThat(fixture.modelsToMiss).hasValue(0);
        }

        assertThat(fixture.history(run)).containsExactly("|1|1|3", "a|1|1|1", "b|1|1|2", "c|1|1|3");
    }

    @Test
    void othersGoOnWhileTheFlowOfARunIsCompiled() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{}"));
        Delivery first = worker.nextDelivery();
        CountDownLatch compiling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        fixture.compilation = () -> {
            compiling.countDown();
            awaitLatch(goOn);
        };
        fixture.compiled.clear();
        fixture.testDatabase.execute(LaneFixture.CUT_LANES);

        fixture.succeed(scheduler, worker, first, "1");
        awaitLatch(compiling);
        RunId other = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "5");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(other)).containsExactly("|1|1|5");

        goOn.countDown();
        assertThat(worker.nextAck().refusal()).isEmpty();
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "3");
        worker.nextAck();
        worker.nextAck();
        assertThat(fixture.history(run)).containsExactly("|1|1|3", "a|1|1|1", "b|1|1|2", "c|1|1|3");
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void handsOutWhatWasLeasedButNeverSent() {
        OneScheduler first = fixture.start(1);
        FakeWorker broken = first.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(first, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        broken.nextDelivery();

        OneScheduler restarted = fixture.start(1);
        FakeWorker worker = broken.resumed();
        restarted.hold(worker);
        restarted.slots().connect(worker, List.of(LaneFixture.group(1, "handler:h")), Map.of());
        restarted.lanes().resync().join();
        Delivery again = worker.nextDelivery();
        fixture.succeed(restarted, worker, again, "1");

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).containsExactly("|1|1|1");
    }

    @Test
    void tellsAllWhoWaitThatTheDatabaseIsAwayAndDoesWhatTheyAskedForOnceItIsBack() throws Exception {
        Cable cable = new Cable(fixture.database);
        OneScheduler scheduler = fixture.start(1, cable);
        // The lane waits for its connection with the first submission. The others form its next batch, which is
        // rejected and repeated one by one.
        CompletableFuture<SubmitResult> first = submit(scheduler, Set.of());
        CompletableFuture<Void> refused = submit(
                        scheduler,
                        Set.of(new AssumedVersion(AssumedVersion.Kind.FLOW, Workspace.DEFAULT, "nowhere", "00")))
                .thenAccept(_ -> cable.cut());
        CompletableFuture<SubmitResult> third = submit(scheduler, Set.of());
        CompletableFuture<SubmitResult> fourth = submit(scheduler, Set.of());
        cable.plugIn();
        assertThat(first.get()).isInstanceOf(SubmitResult.Accepted.class);
        refused.get();

        for (CompletableFuture<SubmitResult> waiting : List.of(third, fourth)) {
            assertThat(unavailable(waiting)).contains("whether the request was or will be carried out");
        }
        assertThat(unavailable(submit(scheduler, Set.of()))).contains("nothing was accepted");

        cable.plugIn();
        scheduler.lanes().resync().join();
        assertThat(fixture.queued()).isEqualTo(3);
    }

    /** The message for a caller whose request the database does not answer. */
    private static String unavailable(CompletableFuture<SubmitResult> answer) {
        var told = catchThrowableOfType(ExecutionException.class, () -> answer.get(60, TimeUnit.SECONDS));
        Throwable cause = Objects.requireNonNull(told.getCause());
        assertThat(cause)
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        away -> assertThat(away.code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE));
        return String.valueOf(cause.getMessage());
    }

    private CompletableFuture<SubmitResult> submit(OneScheduler scheduler, Set<AssumedVersion> assumed) {
        NewRun run = fixture.handlerRun("h", "{}", RetryPolicy.NONE);
        return scheduler.lanes().submit(new Submission(Workspace.DEFAULT, Optional.empty(), List.of(run), assumed));
    }

    /** The connections of one lane. The lane blocks until the cable is plugged in for the first time. */
    private static final class Cable implements Callable<Connection> {
        private final CountDownLatch first = new CountDownLatch(1);
        private final Database database;
        private volatile boolean plugged;
        private volatile @Nullable Connection open;

        Cable(Database database) {
            this.database = database;
        }

        void plugIn() {
            plugged = true;
            first.countDown();
        }

        void cut() {
            plugged = false;
            try {
                Objects.requireNonNull(open).close();
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }

        @Override
        public Connection call() throws Exception {
            first.await();
            if (!plugged) {
                throw new SQLException("The cable is cut.");
            }
            open = database.openForLane("lane");
            return open;
        }
    }
}
