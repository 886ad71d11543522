package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.testing.Sweep;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of steps whose payloads and logs are erased, and of attempts that the flow machine numbers. */
class EraseTest {
    private static final String SECRET = """
            millrace: v1
            name: secret
            steps:
              - id: loop
                for_each: [1, 2]
                steps:
                  - {id: hidden, handler: h, input: {n: "${{ item }}"}, delete_after_use: true}
                output: 0
              - {id: open, handler: h, input: {n: 3}}
            """;

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");

    @Test
    void takesResultsInputsAndLogsAwayOnceTheRunHasEnded() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(SECRET), "{}"));
        for (int i = 0; i < 2; i++) {
            Delivery delivery = worker.nextDelivery();
            log(run, delivery);
            fixture.succeed(scheduler, worker, delivery, "\"secret\"");
            worker.nextAck();
        }
        assertThat(erased(run)).isEmpty();
        Delivery open = worker.nextDelivery();
        log(run, open);
        fixture.succeed(scheduler, worker, open, "\"known\"");
        worker.nextAck();

        assertThat(erased(run)).containsExactly("loop[0].hidden", "loop[1].hidden");
        assertThat(texts("select step_key from job_history where run_id = ? and result::text like '%secret%'", run))
                .isEmpty();
        assertThat(fixture.history(run)).contains("open|1|1|\"known\"");
        assertThat(logs(run)).containsExactly("open");
    }

    @Test
    void takesLogsAwayThatComeLater() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(SECRET), "{}"));
        Delivery hidden = worker.nextDelivery();
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");
        log(run, hidden);
        fixture.database.run(context -> context.execute("update erased_run set ended_at = now() - interval '2 hours'"));

        Sweep.now(fixture.database, LogRetention.ERASED_RUNS);

        assertThat(erased(run)).containsExactly("loop[0].hidden");
        assertThat(logs(run)).isEmpty();
    }

    @Test
    void numbersAttemptsThatDependOnACondition() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                                millrace: v1
                                name: again
                                steps:
                                  - {id: a, handler: h, retry: {max_retries: 2}, retry_if: "${{ error.message == 'no' }}"}
                                """), "{}"));

        for (int attempt = 1; attempt <= 3; attempt++) {
            Delivery delivery = worker.nextDelivery();
            assertThat(delivery.lease().job().attempt()).isEqualTo(attempt);
            fixture.end(scheduler, worker, delivery, new AttemptResult.Failed(new JobError("Error", "no", "", true)));
            worker.nextAck();
        }

        assertThat(fixture.history(run)).contains("a|2|3|Error");
    }

    private void log(RunId run, Delivery delivery) {
        fixture.database.run(context -> context.execute(
                "insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)"
                        + " values (?, ?, ?, 1, 1, 1, 'printed')",
                run.value(),
                delivery.lease().job().id().value(),
                delivery.lease().job().stepKey()));
    }

    private List<String> logs(RunId run) {
        return texts("select step_key from job_log where run_id = ? order by 1", run);
    }

    private List<String> erased(RunId run) {
        return texts(
                "select step_key from job_history where run_id = ? and erased and input is null and result is null order by 1",
                run);
    }

    private List<String> texts(String sql, RunId run) {
        return fixture.database.run(context -> context.fetch(sql, run.value()).getValues(0, String.class));
    }
}
