package dev.millrace.scheduler.submission;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.run.v1.JobLimit;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the options of a run: an environment for its flow, a limit for its job. */
class RunOptionsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final Database DATABASE = SCHEDULER.open();
    private static final OperationServiceGrpc.OperationServiceBlockingStub OPERATIONS =
            OperationServiceGrpc.newBlockingStub(SCHEDULER.channel());
    private static final String EU = "{\"REGION\":\"eu\"}";

    @Test
    void laysTheEnvironmentOfARunOverThatOfItsFlow() throws InterruptedException {
        deploy("regions", "steps: [" + step("a", "regions") + "]");
        try (HandlerWorker worker = worker("regions")) {
            Run run = run("regions", EU);
            assertThat(run.getEnv().toStringUtf8()).isEqualTo(EU);
            finish(worker, run, "{\"region\":\"eu\",\"size\":1}");
            assertThat(FLOWS.get(run.getId()).getEnv().toStringUtf8()).isEqualTo(EU);

            Run other = run("regions", "");
            assertThat(other.getEnv().isEmpty()).isTrue();
            finish(worker, other, "{\"region\":\"us\",\"size\":1}");
        }
    }

    @Test
    void keepsTheEnvironmentForWhateverIsMadeOfTheRun() throws InterruptedException {
        deploy("kept", "steps: [" + step("a", "kept") + ", " + step("b", "kept") + "]");
        try (HandlerWorker worker = worker("kept")) {
            Run run = run("kept", EU);
            finish(worker, run, "{\"region\":\"eu\",\"size\":1}");
            worker.take();
            cancel(run);
            OPERATIONS.retryRun(
                    RetryRunRequest.newBuilder().setRunId(run.getId()).build());
            finish(worker, run, "{\"region\":\"eu\",\"size\":1}");
            FLOWS.end(run.getId());

            Run restarted = OPERATIONS
                    .restartRun(
                            RestartRunRequest.newBuilder().setRunId(run.getId()).build())
                    .getRun();
            finish(worker, restarted, "{\"region\":\"eu\",\"size\":1}");
            finish(worker, restarted, "{\"region\":\"eu\",\"size\":1}");
            Run again = OPERATIONS
                    .rerunRun(RerunRunRequest.newBuilder()
                            .setRunId(restarted.getId())
                            .setStep("b")
                            .build())
                    .getRun();
            finish(worker, again, "{\"region\":\"eu\",\"size\":1}");
            assertThat(FLOWS.get(again.getId()).getEnv().toStringUtf8()).isEqualTo(EU);
        }
    }

    @Test
    void tellsAnotherSchedulerOfTheEnvironment() throws InterruptedException {
        deploy("elsewhere", "steps: [" + step("a", "elsewhere") + ", " + step("b", "elsewhere") + "]");
        Run run = run("elsewhere", EU);
        try (Scheduler other = Scheduler.start(SCHEDULER.database().schedulerConfig())) {
            ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", other.port())
                    .usePlaintext()
                    .build();
            try (HandlerWorker worker = new HandlerWorker(channel, "handler:elsewhere")) {
                finish(worker, run, "{\"region\":\"eu\",\"size\":1}");
                finish(worker, run, "{\"region\":\"eu\",\"size\":1}");
            } finally {
                channel.shutdownNow();
            }
        }
    }

    @Test
    void givesARunThatWaitedForItsTurnItsEnvironment() throws InterruptedException {
        deploy("turns", "concurrency: {max: 1, key: same}\nsteps: [" + step("a", "turns") + "]");
        try (HandlerWorker worker = worker("turns")) {
            Run first = run("turns", "");
            Run second = run("turns", EU);
            finish(worker, first, "{\"region\":\"us\",\"size\":1}");
            finish(worker, second, "{\"region\":\"eu\",\"size\":1}");
        }
    }

    @Test
    void takesTheEnvironmentOfTheLastSubmissionThatIsMerged() throws InterruptedException {
        deploy("merged", "debounce: {delay: 700ms}\nsteps: [" + step("a", "merged") + "]");
        try (HandlerWorker worker = worker("merged")) {
            Run first = run("merged", EU);
            Run last = run("merged", "{\"SIZE\":[2]}");
            assertThat(last.getId()).isEqualTo(first.getId());
            finish(worker, first, "{\"region\":\"us\",\"size\":[2]}");
        }
    }

    @Test
    void sharesNoCachedResultWithARunInAnotherEnvironment() throws InterruptedException {
        deploy("cached", "cache: {ttl: 1h, key: same}\nsteps: [" + step("a", "cached") + "]");
        try (HandlerWorker worker = worker("cached")) {
            Run plain = run("cached", "");
            finish(worker, plain, "{\"region\":\"us\",\"size\":1}");
            FLOWS.end(plain.getId());
            Run first = run("cached", EU);
            finish(worker, first, "{\"region\":\"eu\",\"size\":1}");
            FLOWS.end(first.getId());
            Run known = run("cached", EU);
            assertThat(FLOWS.end(known.getId()).getFromCache()).isTrue();
            assertThat(FLOWS.get(known.getId()).getEnv().toStringUtf8()).isEqualTo(EU);
        }
    }

    @Test
    void refusesAnEnvironmentThatTheFlowHasNot() {
        deploy("strict", "steps: [" + step("a", "nobody") + "]");
        assertThat(violatedFields(failure(() -> run("strict", "{\"REGOIN\":1,\"SIZE\":2}"))))
                .containsExactly("spec.env.REGOIN");
        for (String wrong : List.of("[]", "{", "{\"SIZE\":\"" + "x".repeat(70_000) + "\"}")) {
            assertThat(violatedFields(failure(() -> run("strict", wrong)))).containsExactly("spec.env");
        }
        RunSpec job = handler("nobody", spec -> spec.setEnv(ByteString.copyFromUtf8(EU)));
        assertThat(violatedFields(failure(() -> submit(job, request -> request))))
                .containsExactly("spec.env");
    }

    @Test
    void tellsSubmissionsWithAnotherEnvironmentApart() {
        deploy("twice", "steps: [" + step("a", "nobody") + "]");
        Run first = submit(spec("twice", EU), request -> request.setRequestId("twice"));
        assertThat(submit(spec("twice", EU), request -> request.setRequestId("twice"))
                        .getId())
                .isEqualTo(first.getId());
        assertThat(reason(failure(() -> submit(spec("twice", ""), request -> request.setRequestId("twice")))))
                .isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void letsJobsWithALimitGoOneAfterTheOther() throws InterruptedException {
        RunSpec spec = limited("line");
        try (HandlerWorker worker = worker("line")) {
            Run first = submit(spec, request -> request);
            Run second = submit(spec, request -> request);
            Lease lease = worker.take();
            assertThat(lease.getRunId()).isEqualTo(first.getId());
            assertThat(waitsInLine(second)).isTrue();
            worker.succeed(lease, "1");
            worker.succeed(worker.take(), "2");
            FLOWS.end(second.getId());
        }
    }

    @Test
    void keepsTheLimitForWhateverIsMadeOfTheRun() throws InterruptedException {
        RunSpec spec = limited("limits");
        try (HandlerWorker worker = worker("limits")) {
            Run first = submit(spec, request -> request);
            Lease busy = worker.take();
            Run second = submit(spec, request -> request);
            cancel(second);

            OPERATIONS.retryRun(
                    RetryRunRequest.newBuilder().setRunId(second.getId()).build());
            Run restarted = OPERATIONS
                    .restartRun(RestartRunRequest.newBuilder()
                            .setRunId(first.getId())
                            .build())
                    .getRun();

            assertThat(waitsInLine(second)).isTrue();
            assertThat(waitsInLine(restarted)).isTrue();
            worker.succeed(busy, "1");
            Lease retried = worker.take();
            assertThat(retried.getRunId()).isEqualTo(second.getId());
            worker.succeed(retried, "2");
            Run onceMore = OPERATIONS
                    .restartRun(RestartRunRequest.newBuilder()
                            .setRunId(first.getId())
                            .build())
                    .getRun();
            Lease third = worker.take();
            assertThat(third.getRunId()).isEqualTo(restarted.getId());
            assertThat(waitsInLine(onceMore)).isTrue();
            worker.succeed(third, "3");
            worker.succeed(worker.take(), "4");
            FLOWS.end(onceMore.getId());
        }
    }

    @Test
    void refusesLimitsThatAreNone() {
        deploy("unlimited", "steps: [" + step("a", "nobody") + "]");
        JobLimit max = JobLimit.newBuilder().setMax(1).build();
        RunSpec flow = spec("unlimited", "").toBuilder().setLimit(max).build();
        RunSpec empty = handler("nobody", spec -> spec.setLimit(JobLimit.getDefaultInstance()));
        RunSpec endless = handler(
                "nobody",
                spec -> spec.setLimit(
                        JobLimit.newBuilder().setRate(JobLimit.Rate.newBuilder().setCount(1))));
        RunSpec wordy = handler("nobody", spec -> spec.setLimit(max.toBuilder().setKey("k".repeat(257))));
        for (RunSpec wrong : List.of(flow, empty, endless, wordy)) {
            assertThat(violatedFields(failure(() -> submit(wrong, request -> request))))
                    .containsExactly("spec.limit");
        }
    }

    private static RunSpec limited(String handler) {
        return handler(
                handler,
                spec -> spec.setLimit(JobLimit.newBuilder()
                        .setMax(1)
                        .setRate(JobLimit.Rate.newBuilder()
                                .setCount(100)
                                .setPer(Duration.newBuilder().setSeconds(60)))));
    }

    private static boolean waitsInLine(Run run) {
        return DATABASE.run(sql -> !sql.fetch(
                        "select 1 from job_queue where id = ? and tag like '@limit/%'", UUID.fromString(run.getId()))
                .isEmpty());
    }

    private static String step(String id, String handler) {
        return "{id: " + id + ", handler: " + handler
                + ", input: {region: \"${{ env.REGION }}\", size: \"${{ env.SIZE }}\"}}";
    }

    private static void deploy(String path, String rest) {
        FLOWS.deploy("millrace: v1\nname: " + path + "\nenv: {REGION: us, SIZE: 1}\n" + rest);
    }

    private static HandlerWorker worker(String handler) {
        return new HandlerWorker(SCHEDULER.channel(), "handler:" + handler);
    }

    /** Expects that the next job belongs to the run and has this input, and lets it succeed. */
    private static void finish(HandlerWorker worker, Run run, String input) throws InterruptedException {
        Lease lease = worker.take();
        assertThat(lease.getRunId()).isEqualTo(run.getId());
        assertThat(lease.getInput().toStringUtf8()).isEqualTo(input);
        worker.succeed(lease, "1");
    }

    private static RunSpec spec(String flow, String env) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                .setEnv(ByteString.copyFromUtf8(env))
                .build();
    }

    private static Run run(String flow, String env) {
        return submit(spec(flow, env), request -> request);
    }

    private static Run submit(RunSpec spec, UnaryOperator<SubmitRunRequest.Builder> options) {
        return SCHEDULER
                .runs()
                .submitRun(options.apply(SubmitRunRequest.newBuilder().setSpec(spec))
                        .build())
                .getRun();
    }

    private static void cancel(Run run) {
        var _ = SCHEDULER
                .operations()
                .cancelRun(CancelRunRequest.newBuilder().setRunId(run.getId()).build());
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
