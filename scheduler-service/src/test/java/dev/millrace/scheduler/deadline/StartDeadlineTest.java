package dev.millrace.scheduler.deadline;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that runs are canceled if they have not started in time. */
class StartDeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);

    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final Database DATABASE = SCHEDULER.open();
    private static final OperationServiceGrpc.OperationServiceBlockingStub OPERATIONS =
            OperationServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @Test
    void cancelsARunThatNoWorkerTakesInTime() {
        Run run = submit(job("nobody-in-time", SHORT));
        assertThat(run.getStartWithin()).isEqualTo(TimeProtos.duration(SHORT));

        assertNotStarted(FLOWS.end(run));
        assertThat(passedDeadlines()).isZero();
    }

    @Test
    void leavesARunAloneThatHasStartedInTime() throws InterruptedException {
        try (HandlerWorker worker = worker("in-time")) {
            Run run = submit(job("in-time", LONG));
            Lease lease = worker.take();
            letPass(run);
            worker.succeed(lease, "1");

            assertThat(FLOWS.end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        }
    }

    /** A flow that no worker serves, one that waits for its admission, and one that waits for further submissions. */
    @ParameterizedTest
    @ValueSource(strings = {"", "concurrency: {max: 1, key: same}", "debounce: {delay: 10m}"})
    void cancelsAFlowOfWhichNothingStartsInTime(String options) {
        String name = "late" + Integer.toHexString(options.hashCode());
        FLOWS.deploy("millrace: v1\nname: " + name + "\n" + options + "\nsteps: [{id: a, handler: nobody}]");
        if (options.startsWith("concurrency")) {
            submit(flow(name, LONG));
        }

        Run run = submit(flow(name, SHORT));

        assertNotStarted(FLOWS.end(run));
    }

    /** A flow whose first step has ended, and one that waits for a signal. */
    @ParameterizedTest
    @ValueSource(strings = {"{id: a, value: 1}", "{id: a, wait: {signal: go}}"})
    void leavesAFlowAloneThatHasStarted(String step) {
        String name = "begun" + Integer.toHexString(step.hashCode());
        FLOWS.deploy("millrace: v1\nname: " + name + "\nsteps: [" + step + ", {id: b, handler: nobody}]");

        Run run = submit(flow(name, LONG));

        letPass(run);
        assertThat(FLOWS.get(run.getId()).hasEndTime()).isFalse();
    }

    @Test
    void cancelsAPausedRunToo() {
        Run run = submit(job("nobody-paused", LONG));
        OPERATIONS.pauseRun(PauseRunRequest.newBuilder().setRunId(run.getId()).build());
        letPass(run);

        assertNotStarted(FLOWS.end(run));
    }

    @Test
    void givesARestartTheSameTimeAndARetryNone() {
        Run run = FLOWS.end(submit(job("nobody-again", SHORT)));

        Run restarted = OPERATIONS
                .restartRun(RestartRunRequest.newBuilder().setRunId(run.getId()).build())
                .getRun();
        OPERATIONS.retryRun(RetryRunRequest.newBuilder().setRunId(run.getId()).build());

        assertNotStarted(FLOWS.end(restarted));
        assertThat(FLOWS.get(restarted.getId()).getStartWithin()).isEqualTo(TimeProtos.duration(SHORT));
        assertThat(FLOWS.get(run.getId()).hasEndTime()).isFalse();
    }

    @Test
    void givesRunsThatAFlowStartsNone() {
        FLOWS.deploy("{millrace: v1, name: child-of-late, steps: [{id: a, handler: nobody}]}");
        FLOWS.deploy(
                "{millrace: v1, name: parent-of-late, steps: [{id: a, start: {flow: child-of-late}}], output: '${{ steps.a.result.run_id }}'}");

        Run parent = FLOWS.end(submit(flow("parent-of-late", LONG)));

        Run child = FLOWS.get(parent.getOutput().toStringUtf8().replace("\"", ""));
        assertThat(child.hasStartWithin()).isFalse();
    }

    @Test
    void cancelsRunsOfASchedulerThatIsGone() {
        Run run = SCHEDULER.submitToAnother(job("nobody-left", Duration.ofSeconds(1)));

        assertNotStarted(FLOWS.end(run));
    }

    /** The version of the first run's flow is lost. */
    @Test
    void cancelsRunsBehindARunThatCannotBeLoaded() {
        FLOWS.deploy("{millrace: v1, name: lost, steps: [{id: a, handler: nobody}]}");
        String broken = SCHEDULER.submitToAnother(flow("lost", LONG)).getId();
        change("update job_queue set target = 'lost' where id = '" + broken + "'");
        change("update run_option set start_by = now() where run_id = '" + broken + "'");

        Run next = submit(job("nobody-behind", SHORT));

        assertNotStarted(FLOWS.end(next));
        awaitDecided(next);
        assertThat(deadlines("run_id = '" + broken + "' and start_by > now() + interval '50 seconds'"))
                .isOne();
        assertThat(FLOWS.get(broken).hasEndTime()).isFalse();
    }

    /** Workers claim runs at the moment at which the deadlines pass: each run either starts or is canceled. */
    @Test
    void neverCancelsARunThatAWorkerHasGot() throws InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            runs.add(submit(job("race", Duration.ofMillis(200 + i))));
        }
        Run last = submit(job("race", LONG).toBuilder()
                .setPriority(JobOptions.PRIORITY_MIN)
                .build());
        Set<String> taken = new HashSet<>();
        try (HandlerWorker worker = worker("race")) {
            while (!taken.contains(last.getId())) {
                Lease lease = worker.take();
                taken.add(lease.getRunId());
                worker.succeed(lease, "1");
            }
        }
        for (Run run : runs) {
            Run ended = FLOWS.end(run);
            assertThat(ended.getState() == Run.State.STATE_SUCCEEDED)
                    .as("%s %s", ended.getState(), ended.getError())
                    .isEqualTo(taken.contains(run.getId()));
        }
    }

    @Test
    void refusesATimeThatIsNoneOrEndsBeforeTheRunMayBegin() {
        RunSpec delayed =
                job("nobody", LONG).toBuilder().setRunAfter(inAnHour()).build();
        for (RunSpec wrong : List.of(job("nobody", Duration.ZERO), job("nobody", Duration.ofDays(4_000)), delayed)) {
            var failure = catchThrowableOfType(StatusRuntimeException.class, () -> submit(wrong));
            assertThat(violatedFields(failure)).containsExactly("spec.start_within");
        }
    }

    private static Timestamp inAnHour() {
        return TimeProtos.timestamp(Instant.now().plus(Duration.ofHours(1)));
    }

    private static void assertNotStarted(Run run) {
        assertThat(run.getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(run.getError().getName()).isEqualTo("NotStarted");
        assertThat(run.getError().getMessage()).contains("had not started within");
    }

    /**
     * Moves the run's deadline to the present, and waits until it is decided. A short deadline might pass before the test
     * has done what must happen first. The scheduler looks at deadlines when the next one passes, so another run has one.
     */
    private static void letPass(Run run) {
        change("update run_option set start_by = now() where run_id = '" + run.getId() + "'");
        assertNotStarted(FLOWS.end(submit(job("nobody-beside", SHORT))));
        awaitDecided(run);
    }

    /** Waits until the run's deadline has passed and is forgotten. */
    private static void awaitDecided(Run run) {
        while (deadlines("run_id = '" + UUID.fromString(run.getId()) + "' and start_by is not null") > 0) {
            Thread.onSpinWait();
        }
    }

    private static int passedDeadlines() {
        return deadlines("start_by < now() - interval '5 seconds'");
    }

    private static int deadlines(String condition) {
        return DATABASE.run(sql -> sql.fetchSingle("select count(*) from run_option where " + condition)
                .get(0, Integer.class));
    }

    private static RunSpec job(String handler, Duration startWithin) {
        return handler(handler, spec -> spec.setStartWithin(TimeProtos.duration(startWithin)));
    }

    private static RunSpec flow(String path, Duration startWithin) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(path))
                .setStartWithin(TimeProtos.duration(startWithin))
                .build();
    }

    private static Run submit(RunSpec spec) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build())
                .getRun();
    }

    private static void change(String sql) {
        DATABASE.run(context -> context.execute(sql));
    }

    private static HandlerWorker worker(String handler) {
        return new HandlerWorker(SCHEDULER.channel(), "handler:" + handler);
    }
}
