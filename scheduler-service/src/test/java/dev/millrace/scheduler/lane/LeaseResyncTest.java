package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests of a lane that compares the leases with the database while the other lane makes and settles leases. Runs with
 * even buckets belong to the first of two lanes, which also compares.
 */
class LeaseResyncTest {
    private static final OperationNote NOTE = new OperationNote("tester", "", "");

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    /** A lane that has read the leases, and stands before it has looked at those of the victim. */
    private final class StandingResync {
        final OneScheduler scheduler = fixture.start(2);
        final FakeWorker victim;
        final Delivery lease;
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final CompletableFuture<Void> done;

        StandingResync() {
            OneScheduler before = fixture.start(1);
            FakeWorker known = before.connect(fixture.ids, 1, "handler:a");
            fixture.submit(before, run("a"));
            known.nextDelivery();
            // Another scheduler knows nothing of its lease, and has to send it.
            FakeWorker first = known.resumed();
            scheduler.hold(first);
            scheduler.slots().connect(first, List.of(LaneFixture.group(1, "handler:a")), Map.of());
            victim = scheduler.connect(fixture.ids, 1, "handler:b");
            fixture.submit(scheduler, runOfSecondLane("b"));
            lease = victim.nextDelivery();
            CountDownLatch stands = new CountDownLatch(1);
            first.beforeDelivery = () -> {
                stands.countDown();
                await(goOn);
            };
            done = scheduler.lanes().resync();
            await(stands);
        }

        void goOn() {
            goOn.countDown();
            done.join();
        }
    }

    @Test
    void sendsNoLeaseAgainThatTheOtherLaneHasSettled() {
        StandingResync resync = new StandingResync();
        fixture.succeed(resync.scheduler, resync.victim, resync.lease, "1");
        assertThat(resync.victim.nextAck().refusal()).isEmpty();

        resync.goOn();

        assertThat(resync.victim.hasDelivery()).isFalse();
        assertThatItsSlotIsFree(resync);
    }

    @Test
    void sendsNoLeaseThatTheOtherLaneHasCanceled() {
        StandingResync resync = new StandingResync();
        cancel(resync.scheduler, resync.lease);
        assertThat(resync.victim.nextCancellation().token())
                .isEqualTo(resync.lease.lease().token());

        resync.goOn();

        assertThat(resync.victim.hasDelivery()).isFalse();
        assertThatItsSlotIsFree(resync);
    }

    @Test
    void keepsTheNextLeaseOfAJobThatWasReturned() {
        StandingResync resync = new StandingResync();
        fixture.end(
                resync.scheduler, resync.victim, resync.lease, new AttemptResult.Returned("The worker is stopping."));
        resync.victim.nextAck();
        Delivery next = resync.victim.nextDelivery();

        resync.goOn();

        assertThat(next.lease().job().id()).isEqualTo(resync.lease.lease().job().id());
        assertThat(next.lease().token()).isNotEqualTo(resync.lease.lease().token());
        assertThat(resync.victim.hasDelivery()).isFalse();
        fixture.succeed(resync.scheduler, resync.victim, next, "1");
        assertThat(resync.victim.nextAck().refusal()).isEmpty();
        assertThatItsSlotIsFree(resync);
    }

    @Test
    void sendsNoLeaseAfterItsEndThatAResyncHasSentBefore() {
        OneScheduler scheduler = fixture.start(2);
        RunId slow = fixture.submit(scheduler, runOfSecondLane("slow"));
        RunId quick = fixture.submit(scheduler, runOfFirstLane("quick"));
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FakeWorker first = unannounced(scheduler, 2, "handler:slow");
        FakeWorker victim = unannounced(scheduler, 1, "handler:quick");
        first.beforeDelivery = () -> {
            first.beforeDelivery = () -> {};
            stands.countDown();
            await(goOn);
        };
        // The second lane claims both jobs with the flush of this run, and stands before it sends them.
        CompletableFuture<?> other =
                CompletableFuture.runAsync(() -> fixture.submit(scheduler, runOfSecondLane("nobody")));
        await(stands);

        scheduler.lanes().resync().join();
        Delivery delivery = victim.nextDelivery();
        assertThat(delivery.lease().job().run()).isEqualTo(quick);
        fixture.succeed(scheduler, victim, delivery, "1");
        assertThat(victim.nextAck().refusal()).isEmpty();
        goOn.countDown();
        other.join();
        fixture.submit(scheduler, runOfSecondLane("nobody"));

        assertThat(victim.hasDelivery()).isFalse();
        assertThat(first.nextDelivery().lease().job().run()).isEqualTo(slow);
        assertThat(first.hasDelivery()).isFalse();
    }

    @Test
    void sendsALeaseThatMemoryKnowsAndTheStreamDoesNot() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker broken = scheduler.connect(fixture.ids, 1, "handler:a");
        fixture.submit(scheduler, run("a"));
        Delivery lost = broken.nextDelivery();
        FakeWorker resumed = broken.resumed();
        scheduler.slots().connect(resumed, List.of(LaneFixture.group(1, "handler:a")), Map.of("all", 1));

        scheduler.lanes().resync().join();
        scheduler.lanes().resync().join();

        assertThat(resumed.nextDelivery().lease().token())
                .isEqualTo(lost.lease().token());
        assertThat(resumed.hasDelivery()).isFalse();
        fixture.succeed(scheduler, resumed, lost, "1");
        assertThat(resumed.nextAck().refusal()).isEmpty();
        fixture.submit(scheduler, run("a"));
        resumed.nextDelivery();
    }

    @Test
    void sendsNoLeaseAgainThatTheWorkerNamed() {
        OneScheduler before = fixture.start(1);
        FakeWorker broken = before.connect(fixture.ids, 1, "handler:a");
        fixture.submit(before, run("a"));
        Delivery held = broken.nextDelivery();
        OneScheduler after = fixture.start(1);
        FakeWorker resumed = broken.resumed(held.lease().key());
        after.hold(resumed);
        after.slots().connect(resumed, List.of(LaneFixture.group(1, "handler:a")), Map.of());

        after.lanes().resync().join();
        after.lanes().resync().join();

        assertThat(resumed.hasDelivery()).isFalse();
        fixture.succeed(after, resumed, held, "1");
        assertThat(resumed.nextAck().refusal()).isEmpty();
    }

    @Test
    void freesTheSlotOfALeaseThatAnotherSchedulerHasEnded() {
        OneScheduler scheduler = fixture.start(1);
        OneScheduler other = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:a");
        fixture.submit(scheduler, run("a"));
        Delivery canceled = worker.nextDelivery();
        cancel(other, canceled);

        fixture.succeed(scheduler, worker, canceled, "1");
        assertThat(worker.nextAck().refusal()).isNotEmpty();

        RunId next = fixture.submit(scheduler, run("a"));
        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(next);
    }

    @Test
    void freesNoSlotForALeaseThatHadNoneHere() {
        OneScheduler before = fixture.start(1);
        FakeWorker broken = before.connect(fixture.ids, 1, "handler:a");
        fixture.submit(before, run("a"));
        Delivery old = broken.nextDelivery();
        OneScheduler after = fixture.start(1);
        FakeWorker resumed = broken.resumed(old.lease().key());
        after.hold(resumed);
        after.slots().connect(resumed, List.of(LaneFixture.group(1, "handler:a")), Map.of());
        RunId running = fixture.submit(after, run("a"));
        assertThat(resumed.nextDelivery().lease().job().run()).isEqualTo(running);

        fixture.succeed(after, resumed, old, "1");
        assertThat(resumed.nextAck().refusal()).isEmpty();
        fixture.submit(after, run("a"));

        assertThat(resumed.hasDelivery()).as("its only slot is in use").isFalse();
    }

    @Test
    void freesTheSlotOfALeaseThatIsSettledWhileItsWorkerConnectsAnew() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker broken = scheduler.connect(fixture.ids, 1, "handler:a");
        fixture.submit(scheduler, run("a"));
        Delivery settled = broken.nextDelivery();
        FakeWorker resumed = broken.resumed(settled.lease().key());

        fixture.database.transaction(context -> {
            context.execute("lock table job_history in exclusive mode");
            fixture.succeed(scheduler, broken, settled, "1");
            awaitTheLockedLane();
            scheduler.slots().connect(resumed, List.of(LaneFixture.group(1, "handler:a")), Map.of("all", 1));
            return true;
        });
        assertThat(broken.nextAck().refusal()).isEmpty();

        RunId next = fixture.submit(scheduler, run("a"));
        assertThat(resumed.nextDelivery().lease().job().run()).isEqualTo(next);
    }

    /** Returns once the flush of the lane waits for a lock. */
    private void awaitTheLockedLane() {
        boolean waits = false;
        while (!waits) {
            waits = fixture.database.run(context -> !context.fetch(
                            "select 1 from pg_stat_activity where application_name = 'lane' and wait_event_type = 'Lock'")
                    .isEmpty());
        }
    }

    private void assertThatItsSlotIsFree(StandingResync resync) {
        RunId next = fixture.submit(resync.scheduler, runOfSecondLane("b"));
        Delivery delivery = resync.victim.nextDelivery();
        assertThat(delivery.lease().job().run()).isEqualTo(next);
        assertThat(resync.victim.hasDelivery()).isFalse();
    }

    /** A worker that no lane looks for jobs for. */
    private FakeWorker unannounced(OneScheduler scheduler, int slots, String tag) {
        FakeWorker worker = new FakeWorker(fixture.ids);
        scheduler.hold(worker);
        scheduler.slots().connect(worker, List.of(LaneFixture.group(slots, tag)), Map.of());
        return worker;
    }

    private void cancel(OneScheduler scheduler, Delivery delivery) {
        scheduler
                .operate(delivery.lease().job().run(), new RunOperation.Cancel(), NOTE)
                .join();
    }

    private NewRun run(String handler) {
        return fixture.handlerRun(handler, "{}", RetryPolicy.NONE);
    }

    private NewRun runOfFirstLane(String handler) {
        return run(handler, 0);
    }

    private NewRun runOfSecondLane(String handler) {
        return run(handler, 1);
    }

    private NewRun run(String handler, int lane) {
        NewRun run = run(handler);
        while (run.id().bucket().value() % 2 != lane) {
            run = run(handler);
        }
        return run;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
