package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests of a worker with a silent connection that resumes its session at another scheduler before the first one
 * notices.
 */
class MovedSessionTest {
    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler left = fixture.start(1);
    private final OneScheduler right = fixture.start(1);

    @Test
    void leasesNoNewJobToASessionThatAnotherSchedulerHolds() {
        FakeWorker gone = left.connect(fixture.ids, 4, "handler:h");
        right.hold(gone);
        RunId run = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(gone.hasDelivery()).isFalse();
        assertThat(leasesOf(gone)).isZero();
        finish(left, left.connect(fixture.ids, 1, "handler:h"), run);
    }

    @Test
    void claimsNoWaitingJobForASessionThatAnotherSchedulerHolds() {
        RunId run = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        FakeWorker gone = new FakeWorker(fixture.ids);
        right.hold(gone);
        left.slots().connect(gone, List.of(LaneFixture.group(4, "handler:h")), Map.of());
        left.lanes().wake();
        FakeWorker here = left.connect(fixture.ids, 1, "handler:h");

        finish(left, here, run);
        assertThat(gone.hasDelivery()).isFalse();
    }

    @Test
    void goesOnWithItsOtherSessionsInTheSameFlush() {
        FakeWorker gone = left.connect(fixture.ids, 4, "handler:h");
        FakeWorker here = left.connect(fixture.ids, 2, "handler:h");
        right.hold(gone);
        RunId first = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        RunId second = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        Delivery one = here.nextDelivery();
        Delivery other = here.nextDelivery();

        assertThat(List.of(one.lease().job().run(), other.lease().job().run()))
                .containsExactlyInAnyOrder(first, second);
        assertThat(gone.hasDelivery()).isFalse();
    }

    @Test
    void leasesNothingToASessionThatHasEnded() {
        FakeWorker gone = left.connect(fixture.ids, 4, "handler:h");
        fixture.testDatabase.execute("delete from worker_session");
        RunId run = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(gone.hasDelivery()).isFalse();
        finish(left, left.connect(fixture.ids, 1, "handler:h"), run);
    }

    /** As after a silence: another scheduler has ended the session, and its row stays for a while. */
    @Test
    void leasesNothingToASessionThatAnotherSchedulerHasEnded() {
        FakeWorker gone = left.connect(fixture.ids, 4, "handler:h");
        fixture.testDatabase.execute("update worker_session set ended_at = now()");
        RunId run = fixture.submit(left, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        assertThat(gone.hasDelivery()).isFalse();
        finish(left, left.connect(fixture.ids, 1, "handler:h"), run);
    }

    private void finish(OneScheduler scheduler, FakeWorker worker, RunId run) {
        Delivery delivery = worker.nextDelivery();
        assertThat(delivery.lease().job().run()).isEqualTo(run);
        fixture.succeed(scheduler, worker, delivery, "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
    }

    private int leasesOf(FakeWorker worker) {
        UUID session = worker.session().value();
        return fixture.database.run(context -> context.fetch("select 1 from job_queue where session_id = ?", session)
                .size());
    }
}
