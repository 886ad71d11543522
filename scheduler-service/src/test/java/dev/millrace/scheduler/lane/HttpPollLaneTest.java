package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
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
 * Tests of HTTP polls on the database: a job for each request, and a wait in between that survives a restart of the
 * scheduler.
 */
class HttpPollLaneTest {
    private static final String POLL = """
            millrace: v1
            name: poll
            steps:
              - {id: poll, http_poll: {url: "https://example.com"}, until: "${{ result.done }}", every: 1h, timeout: 2h, on_failure: continue,
                 retry: {max_retries: 1}}
              - {id: next, value: "${{ steps.poll.result.done }}"}
            """;
    private static final String HANDLER = "handler:millrace.http";
    private static final String NOT_YET = "{\"done\":false}";

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void goesOnAfterTheSchedulerThatSentTheFirstRequest() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, HANDLER);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(POLL), "{}"));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), NOT_YET);
        assertThat(worker.nextAck().refusal()).isEmpty();
        scheduler.lanes().close();

        OneScheduler other = fixture.start(1);
        due(other, run, "poll#delay");
        FakeWorker otherWorker = other.connect(fixture.ids, 1, HANDLER);
        fixture.succeed(other, otherWorker, otherWorker.nextDelivery(), "{\"done\":true}");
        assertThat(otherWorker.nextAck().refusal()).isEmpty();

        assertThat(fixture.history(run))
                .contains("|1|1|true", "poll|1|1|" + NOT_YET, "poll|1|1|{\"done\":true}", "next|1|1|true");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void triesEachRequestAgain() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, HANDLER);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(POLL), "{}"));
        AttemptResult broken = new AttemptResult.Failed(new JobError("Error", "broken", "", true));
        for (String response : new String[] {NOT_YET, "{\"done\":true}"}) {
            fixture.end(scheduler, worker, worker.nextDelivery(), broken);
            worker.nextAck();
            fixture.succeed(scheduler, worker, worker.nextDelivery(), response);
            worker.nextAck();
            if (response.equals(NOT_YET)) {
                due(scheduler, run, "poll#delay");
            }
        }
        assertThat(fixture.history(run)).contains("poll|1|2|" + NOT_YET, "poll|1|2|{\"done\":true}");
    }

    @Test
    void takesTheRequestFromTheWorkerWhenItsTimeIsOver() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, HANDLER);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(POLL), "{}"));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), NOT_YET);
        worker.nextAck();
        due(scheduler, run, "poll#delay");
        Delivery second = worker.nextDelivery();

        due(scheduler, run, "poll#limit");

        assertThat(worker.nextCancellation().job())
                .isEqualTo(second.lease().job().id());
        assertThat(fixture.history(run)).contains("poll|3|1|TimedOut").anyMatch(row -> row.startsWith("poll|2|1|"));
        assertThat(fixture.queued()).isZero();
    }

    private void due(OneScheduler on, RunId run, String key) {
        UUID wait = fixture.database.run(context -> context.fetchSingle(
                        "select id from job_queue where run_id = ? and step_key = ?", run.value(), key)
                .get(0, UUID.class));
        on.waitDue(new DueWait(new JobId(wait), run, key, false)).join();
    }
}
