package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests of a flow whose results are larger than the memory for flows: they stay in the history, and are read when a
 * step needs them.
 */
class LargeResultsTest {
    private static final String READS_TWO = """
            millrace: v1
            name: reads
            steps:
              - {id: a, handler: h}
              - {id: b, handler: h}
              - {id: c, handler: h}
              - {id: d, handler: h, input: {a: "${{ steps.a.result.k }}", again: "${{ steps.a.result.k }}"}}
              - {id: e, handler: h, input: {b: "${{ steps.b.result }}"}}
            """;

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 1, "handler:h");
    private final Random random = new Random(7);

    @Test
    void staysInTheHistoryAndIsReadOnceByEachStepThatNeedsIt() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(READS_TWO), "{}"));
        String b = "\"" + noise() + "\"";

        succeed("{\"k\":1,\"noise\":\"" + noise() + "\"}");
        succeed(b);
        assertThat(fixture.resultsRead).as("read before c").hasValue(0);
        succeed("3");
        assertThat(fixture.resultsRead).as("read before d").hasValue(1);
        assertThat(succeed("4")).isEqualTo("d {\"a\":1,\"again\":1}");
        assertThat(fixture.resultsRead).as("read before e").hasValue(2);
        assertThat(succeed("5")).isEqualTo("e {\"b\":" + b + "}");

        assertThat(fixture.history(run).getFirst()).isEqualTo("|1|1|5");
    }

    @Test
    void isGatheredFromALoop() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: loop
                steps:
                  - {id: each, for_each: [1, 2, 3], handler: h}
                  - {id: last, handler: h, input: {sum: "${{ steps.each.result[0].k + steps.each.result[2].k }}"}}
                """), "{}"));

        for (int i = 1; i <= 3; i++) {
            succeed("{\"k\":" + i + ",\"noise\":\"" + noise() + "\"}");
        }

        assertThat(succeed("4")).isEqualTo("last {\"sum\":4}");
        assertThat(fixture.history(run).getFirst()).isEqualTo("|1|1|4");
    }

    @Test
    void isReadOnceTheDatabaseIsThereAgain() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(READS_TWO), "{}"));
        succeed("{\"k\":1,\"noise\":\"" + noise() + "\"}");
        succeed("2");
        fixture.resultsToMiss.set(2);

        succeed("3");

        assertThat(succeed("4")).isEqualTo("d {\"a\":1,\"again\":1}");
        assertThat(succeed("5")).isEqualTo("e {\"b\":2}");
        assertThat(fixture.history(run).getFirst()).isEqualTo("|1|1|5");
    }

    @Test
    void isReadAfterARetry() {
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow(READS_TWO), "{}"));
        succeed("{\"k\":1,\"noise\":\"" + noise() + "\"}");
        succeed("2");
        Delivery third = worker.nextDelivery();
        fixture.end(scheduler, worker, third, new AttemptResult.Failed(JobError.permanent("E", "no")));
        worker.nextAck();

        fixture.operate(scheduler, run, new RunOperation.Retry(), "");
        succeed("3");

        assertThat(succeed("4")).isEqualTo("d {\"a\":1,\"again\":1}");
        assertThat(succeed("5")).isEqualTo("e {\"b\":2}");
    }

    /** Lets the next job succeed. Returns the key and the input of its step. */
    private String succeed(String result) {
        Delivery delivery = worker.nextDelivery();
        fixture.succeed(scheduler, worker, delivery, result);
        worker.nextAck();
        return delivery.lease().job().stepKey() + " " + delivery.input();
    }

    /** A text that hardly compresses, larger than all flows that the scheduler remembers. */
    private String noise() {
        return IntStream.range(0, (int) LaneFixture.FLOW_BYTES_MAX)
                .mapToObj(_ -> Integer.toString(random.nextInt(36), 36))
                .collect(Collectors.joining());
    }
}
