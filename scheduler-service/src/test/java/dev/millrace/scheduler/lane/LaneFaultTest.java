package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a lane does when the database refuses, or goes away. */
class LaneFaultTest {
    static final String CUT_LANES =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lane'";
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
                new Submission("default", Optional.of(new RequestId("r", "aa".repeat(32))), List.of(run));
        FlowTransition ofNoFlow = new FlowTransition(run.id(), 1, 1, Optional.empty());

        try (LaneStore store = fixture.laneStore()) {
            assertThatThrownBy(() -> store.flush(List.of(
                            new RecordSubmissionStatement(List.of(submission)),
                            new AdvanceFlowsStatement(List.of(ofNoFlow)))))
                    .isInstanceOf(FlushRefused.class)
                    .hasMessageContaining("advance_flows touched 0 rows (expected: 1)");
            assertThat(store.findSubmission("default", submission.requestId().orElseThrow()))
                    .isEmpty();
        }
    }

    @Test
    void goesOnWithAFlowAfterItsConnectionsAreCut() {
        OneScheduler scheduler = fixture.start(1);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(THREE_STEPS), "{}"));

        for (String result : List.of("1", "2", "3")) {
            Delivery delivery = worker.nextDelivery();
            fixture.testDatabase.execute(CUT_LANES);
            fixture.succeed(scheduler, worker, delivery, result);
            assertThat(worker.nextAck().refusal()).isEmpty();
        }

        assertThat(fixture.history(run)).containsExactly("|1|1|3", "a|1|1|1", "b|1|1|2", "c|1|1|3");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void handsOutWhatWasLeasedButNeverSent() {
        OneScheduler first = fixture.start(1);
        FakeWorker worker = first.connect(fixture.ids, 1, "handler:h");
        RunId run = fixture.submit(first, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        worker.nextDelivery();

        OneScheduler restarted = fixture.start(1);
        restarted.slots().connect(worker, List.of(LaneFixture.group(1, "handler:h")), Map.of());
        restarted.lanes().resync().join();
        Delivery again = worker.nextDelivery();
        fixture.succeed(restarted, worker, again, "1");

        assertThat(worker.nextAck().refusal()).isEmpty();
        assertThat(fixture.history(run)).containsExactly("|1|1|1");
    }
}
