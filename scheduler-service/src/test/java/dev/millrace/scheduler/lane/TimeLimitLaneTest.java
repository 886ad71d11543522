package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.DueWait;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests of containers' time limits on the database: a wait that survives the scheduler, and times out its container.
 */
class TimeLimitLaneTest {
    private static final String LIMITED = """
            millrace: v1
            name: limited
            steps:
              - id: both
                timeout: 1h
                on_failure: continue
                parallel:
                  branches:
                    - {steps: [{id: a, handler: h}]}
                    - {steps: [{id: b, handler: h}, {id: c, wait: {signal: go}}]}
              - {id: after, handler: h}
            """;

    private static final String RETRIED = """
            millrace: v1
            name: retried
            steps:
              - id: outer
                retry: {max_retries: 1}
                for_each: [1]
                steps:
                  - {id: inner, timeout: 1h, for_each: [1], steps: [{id: a, handler: h}]}
            """;
    private static final String INNER_LIMIT = "outer[0].inner#limit";

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void tellsWorkersToStopAndGoesOn() {
        FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LIMITED), "{}"));
        Delivery a = worker.nextDelivery();
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "2");
        worker.nextAck();

        expire(scheduler, run, "both#limit");

        Cancellation canceled = worker.nextCancellation();
        assertThat(canceled.job()).isEqualTo(a.lease().job().id());
        fixture.succeed(scheduler, worker, a, "\"late\"");
        assertThat(worker.nextAck().refusal()).isEqualTo(JobPlanner.REFUSED_LATE);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "3");
        worker.nextAck();
        assertThat(fixture.history(run))
                .contains(
                        "after|1|1|3", "both[0].a|3|1|TimedOut", "both[1].b|1|1|2", "both[1].c|3|1|TimedOut", "|1|1|3")
                .anyMatch(row -> row.startsWith("both|2|1|"));
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void survivesTheSchedulerThatBeganIt() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(LIMITED), "{}"));
        scheduler.lanes().close();
        OneScheduler other = fixture.start(1);

        expire(other, run, "both#limit");

        FakeWorker worker = other.connect(fixture.ids, 2, "handler:h");
        assertThat(worker.nextDelivery().lease().job().stepKey()).isEqualTo("after");
    }

    @Test
    void leavesNothingWhereTheContainerEndsInTime() {
        FakeWorker worker = scheduler.connect(fixture.ids, 2, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                                millrace: v1
                                name: in-time
                                steps:
                                  - {id: loop, for_each: [1, 2], timeout: 1h, steps: [{id: a, handler: h}]}
                                """), "{}"));

        for (int i = 0; i < 2; i++) {
            fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
            worker.nextAck();
        }

        assertThat(fixture.history(run))
                .containsExactly(
                        "|1|1|[1,1]", "loop|1|1|[1,1]", "loop#open|1|1|[1,2]", "loop[0].a|1|1|1", "loop[1].a|1|1|1");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void beginsAnewWhereWhatIsAroundItBeginsAgainAtOnce() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(RETRIED), "{}"));
        Delivery first = worker.nextDelivery();
        UUID before = wait(run, INNER_LIMIT);

        fixture.end(scheduler, worker, first, new AttemptResult.Failed(JobError.permanent("E", "no")));

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(wait(run, INNER_LIMIT)).isNotEqualTo(before);
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).contains("|1|1|[[1]]");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void takesNoNoticeOfTheTimeThatItsPredecessorHad() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(RETRIED), "{}"));
        UUID before = wait(run, INNER_LIMIT);
        fixture.end(scheduler, worker, worker.nextDelivery(), new AttemptResult.Failed(JobError.permanent("E", "no")));
        worker.nextAck();

        expire(scheduler, run, INNER_LIMIT, before);

        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        worker.nextAck();
        assertThat(fixture.history(run)).contains("|1|1|[[1]]");
    }

    @Test
    void stopsOnlyWhatWasThereBeforeWhereThatBeginsAgainAtOnce() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(RETRIED), "{}"));
        Delivery first = worker.nextDelivery();

        expire(scheduler, run, INNER_LIMIT);

        assertThat(worker.nextCancellation().job())
                .isEqualTo(first.lease().job().id());
        Delivery second = worker.nextDelivery();
        assertThat(second.lease().job().stepKey()).isEqualTo(first.lease().job().stepKey());
        fixture.succeed(scheduler, worker, second, "1");
        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).contains("outer[0].inner[0].a|3|1|TimedOut", "|1|1|[[1]]");
        assertThat(fixture.queued()).isZero();
    }

    private void expire(OneScheduler on, RunId run, String limit) {
        expire(on, run, limit, wait(run, limit));
    }

    private static void expire(OneScheduler on, RunId run, String limit, UUID id) {
        on.waitDue(new DueWait(new JobId(id), run, limit, false)).join();
    }

    /** Id of the only row of the wait. */
    private UUID wait(RunId run, String key) {
        return fixture.database.run(context -> context.fetchSingle(
                        "select id from job_queue where run_id = ? and step_key = ?", run.value(), key)
                .get(0, UUID.class));
    }
}
