package dev.millrace.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of jobs under limits, with lanes and a {@link ConcurrencyLimiter}. */
class LimitedJobsTest {
    private static final String ONE_AT_A_TIME = """
            millrace: v1
            name: one
            inputs: {key: {type: string, default: k}}
            steps:
              - {id: a, handler: h, limit: {max: 1, key: "${{ inputs.key }}"}, retry: {max_retries: 1, delay: 1h}}
            """;
    private static final String LINE = "@limit/default//k";

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.startWithLimits(2);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 9, "handler:h");

    @Test
    void givesTheNextOneToAWorkerWhenOneEnds() {
        RunId first = run();
        RunId second = run();
        Delivery one = worker.nextDelivery();
        assertThat(one.lease().job().run()).isEqualTo(first);
        assertThat(jobs()).containsExactly("2|handler:h|null|" + LINE, "1|" + LINE + "|handler:h|null");

        fixture.succeed(scheduler, worker, one, "1");
        Delivery two = worker.nextDelivery();
        fixture.succeed(scheduler, worker, two, "2");

        assertThat(two.lease().job().run()).isEqualTo(second);
        worker.nextAck();
        worker.nextAck();
        assertThat(fixture.history(second)).containsExactly("|1|1|2", "a|1|1|2");
        assertThat(tags(second)).isEqualTo(Set.of("handler:h", "flow"));
        assertThat(jobs()).isEmpty();
    }

    @Test
    void letsJobsOfOtherKeysAndWithoutLimitsPass() {
        run();
        run();
        worker.nextDelivery();

        RunId other = fixture.submit(scheduler, fixture.flowRun(flow(), "{\"key\":\"other\"}"));
        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(other);
        RunId free = fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(free);
    }

    @Test
    void givesThePlaceBackWhileARetryWaits() {
        RunId first = run();
        RunId second = run();
        fixture.end(
                scheduler,
                worker,
                worker.nextDelivery(),
                new AttemptResult.Failed(new JobError("Oops", "again", "", true)));

        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(second);
        assertThat(jobs()).containsExactly("3|" + LINE + "|handler:h|null", "2|handler:h|null|" + LINE);
        assertThat(fixture.history(first)).isEmpty();
    }

    @Test
    void takesAPlaceAnewAfterTheLossOfAWorker() {
        RunId first = run();
        run();
        fixture.end(scheduler, worker, worker.nextDelivery(), new AttemptResult.WorkerLost("fake", true));

        Delivery again = worker.nextDelivery();

        assertThat(again.lease().job().run()).isEqualTo(first);
        assertThat(again.lease().job().attempt()).isEqualTo(2);
        assertThat(worker.hasDelivery()).isFalse();
    }

    @Test
    void givesThePlaceBackWhenARunIsCanceled() {
        RunId first = run();
        RunId second = run();
        worker.nextDelivery();

        fixture.operate(scheduler, first, new RunOperation.Cancel(), "why");

        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(second);
    }

    @Test
    void givesThePlaceBackWhenAStepIsSkipped() {
        RunId first = run();
        RunId second = run();
        worker.nextDelivery();

        fixture.operate(scheduler, first, new RunOperation.Skip("a", new Json("7")), "why");

        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(second);
        assertThat(fixture.history(first)).containsExactly("|1|1|7", "a|4|1|7");
    }

    @Test
    void holdsJobsOfPausedRunsInLineAndLetsOthersPass() {
        RunId first = run();
        RunId second = run();
        RunId third = run();
        Delivery one = worker.nextDelivery();
        fixture.operate(scheduler, second, new RunOperation.Pause(), "why");

        fixture.succeed(scheduler, worker, one, "1");
        Delivery three = worker.nextDelivery();
        assertThat(three.lease().job().run()).isEqualTo(third);
        fixture.operate(scheduler, second, new RunOperation.Resume(), "why");
        assertThat(worker.hasDelivery()).isFalse();
        fixture.succeed(scheduler, worker, three, "3");

        assertThat(worker.nextDelivery().lease().job().run()).isEqualTo(second);
        assertThat(fixture.history(first)).hasSize(2);
    }

    @Test
    void givesThePlaceBackThatNoWorkerTookWhenTheRunIsPaused() {
        scheduler.slots().disconnect(worker);
        RunId first = run();
        RunId second = run();
        awaitReleased();

        fixture.operate(scheduler, first, new RunOperation.Pause(), "why");
        FakeWorker other = scheduler.connect(fixture.ids, 9, "handler:h");

        assertThat(other.nextDelivery().lease().job().run()).isEqualTo(second);
        fixture.operate(scheduler, first, new RunOperation.Resume(), "why");
        assertThat(other.hasDelivery()).isFalse();
    }

    @Test
    void limitsARunOfASingleJob() {
        JobLimit limit = new JobLimit("k", OptionalInt.empty(), Optional.of(new JobLimit.Rate(2, Duration.ofHours(1))));
        Set<RunId> begun = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            NewRun run = fixture.handlerRun("h", "{}", RetryPolicy.NONE);
            NewRun limited = new NewRun(
                    run.id(),
                    run.target(),
                    run.name(),
                    run.input(),
                    new RunOptions(run.options().with(Optional.of(limit)), run.delay(), "", run.kept()));
            fixture.submit(scheduler, limited);
            begun.add(run.id());
        }

        Delivery one = worker.nextDelivery();
        Delivery two = worker.nextDelivery();
        fixture.succeed(scheduler, worker, one, "1");
        fixture.succeed(scheduler, worker, two, "2");
        worker.nextAck();
        worker.nextAck();

        assertThat(begun).contains(one.lease().job().run(), two.lease().job().run());
        assertThat(jobs()).containsExactly("1|" + LINE + "|handler:h|null");
        assertThat(worker.hasDelivery()).isFalse();
    }

    @Test
    void limitsTheIterationsOfALoop() {
        String hash = fixture.flow("""
                millrace: v1
                name: many
                steps:
                  - {id: a, for_each: [1, 2, 3, 4, 5, 6, 7, 8], parallelism: 8, handler: h, limit: {max: 2}}
                """);
        RunId run = fixture.submit(scheduler, fixture.flowRun(hash, "{}"));
        for (int i = 0; i < 8; i++) {
            assertThat(jobs().stream().filter(job -> !job.startsWith("1|@"))).hasSizeLessThanOrEqualTo(2);
            fixture.succeed(scheduler, worker, worker.nextDelivery(), String.valueOf(i));
            worker.nextAck();
        }

        assertThat(fixture.history(run)).hasSize(11);
    }

    /** Waits until the limiter has released a job that no worker takes. */
    private void awaitReleased() {
        while (jobs().stream().noneMatch(job -> job.equals("1|handler:h|null|" + LINE))) {
            Thread.onSpinWait();
        }
    }

    private RunId run() {
        return fixture.submit(scheduler, fixture.flowRun(flow(), "{\"key\":\"k\"}"));
    }

    private String flow() {
        return fixture.flow(ONE_AT_A_TIME);
    }

    /** Live jobs other than flows, as state, tag, own tag and limit key. */
    private List<String> jobs() {
        return fixture.database.run(sql -> sql.fetch("select concat_ws('|', state, tag, coalesce(released_tag, 'null'),"
                        + " case when released_tag is null then coalesce(limit_queue, 'null') else 'null' end)"
                        + " from job_queue where kind <> 3 order by order_key, id")
                .getValues(0, String.class));
    }

    private Set<String> tags(RunId run) {
        return Set.copyOf(
                fixture.database.run(sql -> sql.fetch("select tag from job_history where run_id = ?", run.value())
                        .getValues(0, String.class)));
    }
}
