package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Concurrency;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.FlushRefused;
import dev.millrace.scheduler.lane.JobPlanner;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests runs that other runs start, that wait for their turn, or that exceed their time limit. */
class StartTest {
    private static final String ONE_STEP = """
            millrace: v1
            name: one
            inputs: {k: {type: any, required: false}}
            steps:
              - {id: a, handler: h, input: {k: "${{ inputs.k }}"}}
            """;
    private static final String GIVEN = "{\"k\":1}";
    private static final String NO_STEP = """
            millrace: v1
            name: none
            steps: []
            """;
    private static final FlowOptions ONE_AT_A_TIME =
            options(Optional.empty(), Optional.empty(), Optional.of(new Concurrency(1, constant("k"))));

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final FakeWorker worker = scheduler.connect(fixture.ids, 10, "handler:h");

    @Test
    void startsARunWithoutWaitingForIt() {
        String child = fixture.flow(ONE_STEP);
        Step starts = new Step(
                "go",
                List.of(),
                new StepAction.StartRun(constant("child"), new Template.Constant(JsonValue.of("{\"k\":7}"))));
        String hash = fixture.flow(starts);

        RunId run = fixture.submit(scheduler, fixture.flowRun(hash, "{}"));
        List<RunId> waiting = toStart();
        assertThat(fixture.history(run))
                .containsExactly(
                        "|1|1|{\"run_id\":\"" + waiting.getFirst() + "\"}",
                        "go|1|1|{\"run_id\":\"" + waiting.getFirst() + "\"}");

        // Two schedulers try to begin the run, and one tries again later. The run begins once.
        OneScheduler other = fixture.start(1);
        CompletableFuture.allOf(
                        begin(scheduler, waiting.getFirst(), child, "{\"k\":7}"),
                        begin(other, waiting.getFirst(), child, "{\"k\":7}"))
                .join();
        begin(other, waiting.getFirst(), child, "{\"k\":7}").join();
        Delivery a = next();

        assertThat(a.lease().job().run()).isEqualTo(waiting.getFirst());
        assertThat(a.input().text()).isEqualTo("{\"k\":7}");
        assertThat(worker.hasDelivery()).isFalse();
        assertThat(origins()).containsExactly(waiting.getFirst() + "|" + run + "|start_run|go");
    }

    @Test
    void endsARunThatCannotBeStarted() {
        RunId failing = failWithFailureFlow();
        RunId waiting = toStart().getFirst();

        scheduler
                .start(new RunStart.Failed(waiting, 0, JobError.permanent("FlowNotFound", "There is no flow cleanup.")))
                .join();

        assertThat(fixture.history(waiting)).containsExactly("|2|1|FlowNotFound");
        assertThat(origins()).containsExactly(waiting + "|" + failing + "|failure_flow|");
    }

    @Test
    void startsTheFailureFlowAfterTheRunHasFailed() {
        RunId failing = failWithFailureFlow();

        List<String> inputs =
                fixture.database.run(context -> context.fetch("select input::text from job_queue where state = 7")
                        .getValues(0, String.class));
        assertThat(inputs)
                .containsExactly(
                        "{\"run_id\":\"" + failing
                                + "\",\"error\":{\"name\":\"E\",\"message\":\"Step \\\"a\\\" failed: no\",\"stack\":\"\"},\"input\":{\"k\":1}}");
    }

    @Test
    void startsNoFailureFlowForAFailureFlowThatFails() {
        String hash = fixture.flow(ONE_STEP, options(Optional.of("cleanup"), Optional.empty(), Optional.empty()));
        fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":1}"));
        fail(worker.nextDelivery());
        begin(scheduler, toStart().getFirst(), hash, "{\"k\":1}").join();
        fail(worker.nextDelivery());

        assertThat(toStart()).isEmpty();
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void beginsRunsWithTheSameKeyInTheOrderOfSubmission() {
        String hash = fixture.flow(ONE_STEP, ONE_AT_A_TIME);
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":" + i + "}")));
        }
        OneScheduler other = fixture.start(1);

        for (int turn = 0; turn < 3; turn++) {
            List<CompletableFuture<?>> tries = new ArrayList<>();
            for (int i = 2; i >= 0; i--) {
                tries.add(begin(i % 2 == 0 ? scheduler : other, runs.get(i), hash, "{\"k\":" + i + "}"));
            }
            tries.forEach(CompletableFuture::join);
            assertThat(goingOn()).hasSizeLessThanOrEqualTo(1);
            begin(other, runs.get(turn), hash, "{\"k\":" + turn + "}").join();
            assertThat(goingOn()).containsExactly(runs.get(turn));
            fixture.succeed(scheduler, worker, next(), "1");
            worker.nextAck();
        }
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void countsRunsUnderTheirLimitThatOtherRunsStarted() {
        String child = fixture.flow(ONE_STEP, ONE_AT_A_TIME);
        String parent = fixture.flow(starting("one"), starting("two"));
        fixture.submit(scheduler, fixture.flowRun(parent, "{}"));
        List<RunId> runs = toStart();
        OneScheduler other = fixture.start(1);

        for (RunId run : runs) {
            begin(scheduler, run, child, GIVEN).join();
        }
        assertThat(goingOn()).as("they stand in line first").isEmpty();
        for (RunId run : runs) {
            CompletableFuture.allOf(begin(scheduler, run, child, GIVEN), begin(other, run, child, GIVEN))
                    .join();
        }
        assertThat(goingOn()).containsExactly(runs.getFirst());

        fixture.succeed(scheduler, worker, next(), "1");
        worker.nextAck();
        begin(scheduler, runs.getLast(), child, GIVEN).join();
        assertThat(goingOn()).containsExactly(runs.getLast());
    }

    @Test
    void doesNotLetARunThatIsNotDueDelayOthers() {
        String hash = fixture.flow(ONE_STEP, ONE_AT_A_TIME);
        NewRun later = fixture.flowRun(hash, GIVEN);
        fixture.submit(
                scheduler,
                new NewRun(
                        later.id(),
                        later.target(),
                        later.name(),
                        later.input(),
                        new RunOptions(
                                later.options(), Optional.of(Duration.ofHours(1)), later.traceparent(), later.kept())));
        RunId now = fixture.submit(scheduler, fixture.flowRun(hash, GIVEN));

        begin(scheduler, now, hash, GIVEN).join();

        assertThat(goingOn()).containsExactly(now);
    }

    @Test
    void limitsHowManyRunsBeginWithinAPeriod() {
        String hash = fixture.flow(ONE_STEP, rated(2, Duration.ofHours(1)));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(fixture.submit(scheduler, fixture.flowRun(hash, GIVEN)));
        }

        begin(scheduler, runs.get(1), hash, GIVEN).join();
        assertThat(goingOn()).as("nobody overtakes").isEmpty();
        assertThat(begin(scheduler, runs.get(0), hash, GIVEN).join()).isEmpty();
        assertThat(begin(scheduler, runs.get(1), hash, GIVEN).join()).isEmpty();
        Optional<Duration> wait = begin(scheduler, runs.get(2), hash, GIVEN).join();

        assertThat(goingOn()).containsExactly(runs.get(0), runs.get(1));
        assertThat(wait.orElseThrow()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));

        fixture.succeed(scheduler, worker, next(), "1");
        worker.nextAck();
        begin(scheduler, runs.get(2), hash, GIVEN).join();
        assertThat(goingOn()).as("an end makes no room").doesNotContain(runs.get(2));

        fixture.testDatabase.execute("update limited_begin set begun_at = begun_at - interval '1 hour'");
        begin(scheduler, runs.get(2), hash, GIVEN).join();
        assertThat(goingOn()).contains(runs.get(2));
    }

    @Test
    void exceedsNoRateEvenIfTwoSchedulersTryAndLoseTheirConnections() {
        int count = 3;
        Duration per = Duration.ofMillis(150);
        String hash = fixture.flow(NO_STEP, rated(count, per));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            runs.add(fixture.submit(scheduler, fixture.flowRun(hash, "{}")));
        }
        OneScheduler other = fixture.start(1);

        for (int tries = 0; !toStart().isEmpty(); tries++) {
            RunId first = toStart().getFirst();
            if (tries % 7 == 3) {
                fixture.testDatabase.execute(LaneFixture.CUT_LANES);
            }
            CompletableFuture.allOf(begin(scheduler, first, hash, "{}"), begin(other, first, hash, "{}"))
                    .join();
        }

        List<Long> begins = fixture.database.run(context -> context.fetch(
                        "select (extract(epoch from begun_at) * 1000000)::int8 from limited_begin order by begun_at")
                .getValues(0, Long.class));
        assertThat(begins).hasSameSizeAs(runs);
        for (int i = count; i < begins.size(); i++) {
            assertThat(begins.get(i) - begins.get(i - count)).isGreaterThanOrEqualTo(per.toNanos() / 1_000);
        }
    }

    @Test
    void rejectsABatchThatWouldExceedARate() {
        String hash = fixture.flow(ONE_STEP, rated(1, Duration.ofHours(1)));
        List<RunId> runs = List.of(
                fixture.submit(scheduler, fixture.flowRun(hash, GIVEN)),
                fixture.submit(scheduler, fixture.flowRun(hash, GIVEN)));
        begin(scheduler, runs.get(0), hash, GIVEN).join();
        RunAdmission turn = new RunAdmission(
                "default/flow k", runs.get(1), OptionalInt.empty(), Optional.of(new Rate(1, Duration.ofHours(1))));

        assertThatThrownBy(() ->
                        fixture.flush(turn, List.of(LockLimitsStatement.SECTION, NoteAdmissionsStatement.SECTION)))
                .isInstanceOf(FlushRefused.class)
                .hasMessageContaining("note_admissions touched 1 rows (expected: 0)");
    }

    @Test
    void putsARetriedRunAtTheEndOfItsLine() {
        String hash = fixture.flow(ONE_STEP, ONE_AT_A_TIME);
        RunId first = fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":1}"));
        begin(scheduler, first, hash, "{\"k\":1}").join();
        fail(next());
        RunId second = fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":2}"));
        begin(scheduler, second, hash, "{\"k\":2}").join();
        Delivery ofSecond = next();

        fixture.operate(scheduler, first, new RunOperation.Retry(), "");
        begin(scheduler, first, hash, "{\"k\":1}").join();
        assertThat(goingOn()).containsExactly(second);
        fixture.succeed(scheduler, worker, ofSecond, "1");
        worker.nextAck();
        begin(scheduler, first, hash, "{\"k\":1}").join();
        fixture.succeed(scheduler, worker, next(), "2");
        worker.nextAck();

        assertThat(fixture.history(first)).contains("|1|1|2", "a|2|1|E", "a|1|1|2");
    }

    @Test
    void endsAnExpiredRunAndStopsItsJobs() {
        String hash =
                fixture.flow(ONE_STEP, options(Optional.empty(), Optional.of(Duration.ofMillis(1)), Optional.empty()));
        RunId run = fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":1}"));
        Delivery a = worker.nextDelivery();

        OneScheduler other = fixture.start(1);
        CompletableFuture.allOf(scheduler.expire(run), other.expire(run)).join();
        scheduler.expire(run).join();

        assertThat(fixture.history(run)).containsExactly("|2|1|TimedOut", "a|3|1|RunEnded");
        fixture.succeed(scheduler, worker, a, "1");
        assertThat(worker.nextAck().refusal()).isEqualTo(JobPlanner.REFUSED_LATE);
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void ignoresARunThatHasNotExpired() {
        String hash =
                fixture.flow(ONE_STEP, options(Optional.empty(), Optional.of(Duration.ofHours(1)), Optional.empty()));
        RunId run = fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":1}"));

        scheduler.expire(run).join();

        assertThat(goingOn()).containsExactly(run);
    }

    private RunId failWithFailureFlow() {
        String hash = fixture.flow(ONE_STEP, options(Optional.of("cleanup"), Optional.empty(), Optional.empty()));
        RunId failing = fixture.submit(scheduler, fixture.flowRun(hash, "{\"k\":1}"));
        fail(worker.nextDelivery());
        return failing;
    }

    private void fail(Delivery delivery) {
        fixture.end(scheduler, worker, delivery, new AttemptResult.Failed(new JobError("E", "no", "", false)));
        assertThat(worker.nextAck().refusal()).isEmpty();
    }

    private Delivery next() {
        // Another scheduler may have enqueued the job, so tell this one to look.
        scheduler.lanes().anythingMayWait();
        return worker.nextDelivery();
    }

    private CompletableFuture<Optional<Duration>> begin(OneScheduler by, RunId run, String hash, String input) {
        return by.start(RunStart.Begun.of(
                run,
                versionOf(run),
                hash,
                Optional.ofNullable(fixture.models.get(hash)).orElseThrow(),
                new Json(input)));
    }

    private long versionOf(RunId run) {
        return fixture.database.run(context -> context.fetchSingle(
                        "select coalesce(max(version), 0) from job_queue where id = ?", run.value())
                .get(0, Long.class));
    }

    private List<RunId> toStart() {
        return ids("select id from job_queue where state = 7 order by id");
    }

    private List<RunId> goingOn() {
        return ids("select id from job_queue where state = 4 order by id");
    }

    private List<RunId> ids(String sql) {
        return fixture.database.run(context -> context.fetch(sql).getValues(0, UUID.class)).stream()
                .map(RunId::new)
                .toList();
    }

    private List<String> origins() {
        return fixture.database.run(context -> context.fetch(
                        "select run_id || '|' || origin_run_id || '|' || relation || '|' || step_key from run_origin")
                .getValues(0, String.class));
    }

    private static Step starting(String id) {
        return new Step(id, List.of(), new StepAction.StartRun(constant("child"), Template.Constant.EMPTY_OBJECT));
    }

    private static Template constant(String text) {
        return new Template.Constant(JsonValue.ofString(text));
    }

    private static FlowOptions rated(int count, Duration per) {
        return options(
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Concurrency(OptionalInt.empty(), Optional.of(new Rate(count, per)), constant("k"))));
    }

    private static FlowOptions options(
            Optional<String> failureFlow, Optional<Duration> timeout, Optional<Concurrency> concurrency) {
        return FlowOptions.NONE
                .change()
                .failureFlow(failureFlow.map(path -> FailureFlow.at(path, FailureFlow.Given.FAILURE)))
                .timeout(timeout)
                .concurrency(concurrency)
                .build();
    }
}
