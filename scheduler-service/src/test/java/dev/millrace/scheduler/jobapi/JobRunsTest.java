package dev.millrace.scheduler.jobapi;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunOrigin;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.AwaitRunRequest;
import dev.millrace.proto.worker.v1.CancelRunRequest;
import dev.millrace.proto.worker.v1.JobRunServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReadRunRequest;
import dev.millrace.proto.worker.v1.SignWaitLinksRequest;
import dev.millrace.proto.worker.v1.StartRunRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests how running jobs start and follow runs, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobRunsTest {
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final String workerToken;
    private final HandlerWorker worker;

    JobRunsTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
        workerToken = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("rack 7")
                        .build())
                .getSecret();
        worker = new HandlerWorker(calls.with(workerToken), "handler:h");
    }

    @BeforeAll
    void deploy() {
        SecretCalls flows = new SecretCalls(calls.with(calls.owner()));
        flows.deploy("shop/order", "h", "{}");
        flows.deploy("billing/invoice", "h", "{}");
    }

    @AfterAll
    void stop() {
        worker.close();
        scheduler.close();
    }

    @Test
    void aRunBelongsToWhoeverStartedTheRunOfTheJobAndNamesIt() throws InterruptedException {
        String runner = calls.user("default", "shop", Role.ROLE_RUNNER);
        Lease job = run(runner);

        Run started = get(start(job, "shop/order", "{\"x\":1}", "a"));

        assertThat(started.getStartedBy()).isEqualTo(calls.name(runner));
        assertThat(started.getOrigin().getRunId()).isEqualTo(job.getRunId());
        assertThat(started.getOrigin().getRelation()).isEqualTo(RunOrigin.Relation.RELATION_START_RUN);
        assertThat(started.getOrigin().getStep()).isEqualTo("a");
        assertThat(started.getInput().toStringUtf8()).isEqualTo("{\"x\":1}");
        endAll(job, worker.take());
    }

    @Test
    void whoeverMayNotRunAFlowCannotLetAJobRunIt() throws InterruptedException {
        Lease job = run(calls.user("default", "shop", Role.ROLE_RUNNER));

        StatusRuntimeException refusal = refusal(() -> start(job, "billing/invoice", "{}", "a"));

        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> start(job, "shop/nothing", "{}", "a")))).isEqualTo(Status.Code.NOT_FOUND);
        assertNothingNoted(job);
        endAll(job);
    }

    @Test
    void oneKeyStartsOneRunWhateverTheInput() throws InterruptedException {
        Lease job = run(calls.owner());

        String first = start(job, "shop/order", "{\"x\":1}", "a");

        assertThat(start(job, "shop/order", "{\"x\":1}", "a")).isEqualTo(first);
        assertThat(start(job, "shop/order", "{\"x\":2}", "a")).isEqualTo(first);
        assertThat(start(job, "shop/order", "{\"x\":1}", "b")).isNotEqualTo(first);
        endAll(job, worker.take(), worker.take());
    }

    @Test
    void aStartThatWasOnlyNotedIsMadeUpFor() throws InterruptedException {
        Lease job = run(calls.owner());
        String noted = "01890000-0000-7000-8000-000000000001";
        note(job, "a", noted);

        assertThat(start(job, "shop/order", "{}", "a")).isEqualTo(noted);

        assertThat(get(noted).getName()).isEqualTo("shop/order");
        assertThat(start(job, "shop/order", "{}", "a")).isEqualTo(noted);
        endAll(job, worker.take());
    }

    @Test
    void aLaterAttemptStartsAgainWhatHasFailedAndNothingElse() throws InterruptedException {
        Lease job = run(calls.owner());
        String fine = start(job, "shop/order", "{}", "fine");
        Lease fineJob = worker.take();
        String canceled = start(job, "shop/order", "{}", "canceled");
        var _ = worker.take();
        worker.succeed(fineJob, "1");
        cancel(job, canceled);
        assertThat(start(job, "shop/order", "{}", "canceled"))
                .as("the same attempt")
                .isEqualTo(canceled);

        scheduler.database().execute("update job_queue set attempt = 2 where id = '%s'".formatted(job.getJobId()));

        assertThat(start(job, "shop/order", "{}", "fine")).isEqualTo(fine);
        String again = start(job, "shop/order", "{}", "canceled");
        assertThat(again).isNotEqualTo(canceled);
        assertThat(start(job, "shop/order", "{}", "canceled")).isEqualTo(again);
        endAll(job, worker.take());
    }

    @Test
    void waitsForTheEndAndReadsTheOutput() throws InterruptedException {
        Lease job = run(calls.user("default", "shop", Role.ROLE_RUNNER));
        String started = start(job, "shop/order", "{\"x\":1}", "a");
        Lease inner = worker.take();

        assertThat(await(job, started, 0)).isFalse();
        assertThat(read(job, started).getOutput().isEmpty()).isTrue();
        worker.succeed(inner, "{\"paid\":true}");

        assertThat(await(job, started, 20)).isTrue();
        Run ended = read(job, started);
        assertThat(ended.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(ended.getOutput().toStringUtf8()).isEqualTo("{\"paid\":true}");
        assertThat(ended.getInput().isEmpty()).isTrue();
        cancel(job, started);
        assertThat(read(job, started).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        endAll(job);
    }

    @Test
    void aJobDoesNotWaitForItsOwnRun() throws InterruptedException {
        Lease job = run(calls.owner());

        assertThat(refusal(() -> await(job, job.getRunId(), 1))).hasMessageContaining("cannot end while the job waits");
        endAll(job);
    }

    @Test
    void runsOfOtherWorkspacesAndFoldersAreNotFound() throws InterruptedException {
        var _ = WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("other").build());
        String elsewhere = submit("other", RunTarget.newBuilder().setHandler("nobody"));
        String hidden = submit("", RunTarget.newBuilder().setHandler("billing/nobody"));
        Lease job = run(calls.user("default", "shop", Role.ROLE_DEVELOPER));

        for (String run : List.of(elsewhere, hidden)) {
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> await(job, run, 0), () -> read(job, run), () -> cancel(job, run))) {
                assertThat(reason(refusal(call))).isEqualTo("RUN_NOT_FOUND");
            }
        }
        endAll(job);
    }

    @Test
    void aLostLeaseDoesNothing() throws InterruptedException {
        Lease job = run(calls.owner());
        Lease stale = job.toBuilder().setLeaseToken(job.getLeaseToken() + 1).build();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> start(stale, "shop/order", "{}", "a"),
                () -> await(stale, job.getRunId(), 0),
                () -> read(stale, job.getRunId()),
                () -> cancel(stale, job.getRunId()),
                () -> sign(stale, "approve"))) {
            assertThat(reason(refusal(call))).isEqualTo("LEASE_LOST");
        }
        assertNothingNoted(job);
        endAll(job);
    }

    @Test
    void runsCannotStartOneAnotherWithoutEnd() throws InterruptedException {
        Lease job = run(calls.owner());
        scheduler
                .database()
                .execute("insert into run_origin (run_id, origin_run_id, relation, step_key, depth)"
                        + " values ('%s', gen_random_uuid(), 'start_run', '', %d)"
                                .formatted(job.getRunId(), JobRuns.START_DEPTH_MAX));

        assertThat(refusal(() -> start(job, "shop/order", "{}", "a"))).hasMessageContaining("started one another");
        endAll(job);
    }

    @Test
    void aJobStartsALimitedNumberOfRuns() throws InterruptedException {
        Lease job = run(calls.owner());
        String before = start(job, "shop/order", "{}", "before");
        scheduler
                .database()
                .execute(
                        "insert into job_started_run select '%s', '%s', 'k' || n, 1, gen_random_uuid() from generate_series(2, %d) n"
                                .formatted(job.getRunId(), job.getJobId(), JobRuns.RUNS_PER_JOB_MAX));

        assertThat(refusal(() -> start(job, "shop/order", "{}", "a"))).hasMessageContaining("has started 1000 runs");
        assertThat(start(job, "shop/order", "{}", "before")).isEqualTo(before);
        endAll(job, worker.take());
    }

    @Test
    void quotasApply() throws InterruptedException {
        String runner = calls.user("default", "shop", Role.ROLE_RUNNER);
        Lease job = run(runner);
        quotas(Quotas.newBuilder().setQueuedJobsMax(1).build());
        try {
            assertThat(reason(refusal(() -> start(job, "shop/order", "{}", "a"))))
                    .isEqualTo("QUOTA_EXCEEDED");
        } finally {
            quotas(Quotas.getDefaultInstance());
        }
        assertNothingNoted(job);
        endAll(job);
    }

    @Test
    void signsLinksInTheNameOfTheStarterOnly() throws InterruptedException {
        String runner = calls.user("default", "shop", Role.ROLE_RUNNER);
        Lease job = run(runner);

        assertThat(sign(job, "approve")).containsExactly(calls.name(runner));
        assertThat(code(refusal(() -> sign(job, "approve", "bob")))).isEqualTo(Status.Code.PERMISSION_DENIED);
        endAll(job);
    }

    private void quotas(Quotas quotas) {
        var _ = QuotaServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .setQuotas(SetQuotasRequest.newBuilder()
                        .setWorkspace("default")
                        .setQuotas(quotas)
                        .build());
    }

    private String submit(String workspace, RunTarget.Builder target) {
        return RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun()
                .getId();
    }

    /** Starts a run of the flow with this token, and takes its job. */
    private Lease run(String token) throws InterruptedException {
        var _ = RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/order")))
                        .build());
        return worker.take();
    }

    private void endAll(Lease... leases) {
        for (Lease lease : leases) {
            worker.succeed(lease, "1");
        }
    }

    private Run get(String run) {
        return RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    private void note(Lease job, String key, String run) {
        scheduler
                .database()
                .execute("insert into job_started_run values ('%s', '%s', '%s', 1, '%s')"
                        .formatted(job.getRunId(), job.getJobId(), key, run));
    }

    private void assertNothingNoted(Lease job) {
        scheduler
                .database()
                .execute("do $$ begin assert not exists (select 1 from job_started_run where job_id = '%s'); end $$"
                        .formatted(job.getJobId()));
    }

    private JobRunServiceGrpc.JobRunServiceBlockingStub runs() {
        return JobRunServiceGrpc.newBlockingStub(calls.with(workerToken));
    }

    private String start(Lease job, String flow, String input, String key) {
        return runs().startRun(StartRunRequest.newBuilder()
                        .setJobId(job.getJobId())
                        .setLeaseToken(job.getLeaseToken())
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                                .setInput(ByteString.copyFromUtf8(input)))
                        .setKey(key)
                        .build())
                .getRunId();
    }

    private boolean await(Lease job, String run, int seconds) {
        return runs().awaitRun(AwaitRunRequest.newBuilder()
                        .setJobId(job.getJobId())
                        .setLeaseToken(job.getLeaseToken())
                        .setRunId(run)
                        .setWait(Duration.newBuilder().setSeconds(seconds))
                        .build())
                .getEnded();
    }

    private Run read(Lease job, String run) {
        return runs().readRun(ReadRunRequest.newBuilder()
                        .setJobId(job.getJobId())
                        .setLeaseToken(job.getLeaseToken())
                        .setRunId(run)
                        .build())
                .getRun();
    }

    private void cancel(Lease job, String run) {
        var _ = runs().cancelRun(CancelRunRequest.newBuilder()
                .setJobId(job.getJobId())
                .setLeaseToken(job.getLeaseToken())
                .setRunId(run)
                .build());
    }

    private List<String> sign(Lease job, String step, String... people) {
        return runs()
                .signWaitLinks(SignWaitLinksRequest.newBuilder()
                        .setJobId(job.getJobId())
                        .setLeaseToken(job.getLeaseToken())
                        .setStep(step)
                        .addAllActors(List.of(people))
                        .build())
                .getWaitLinksList()
                .stream()
                .map(link -> link.getActor())
                .toList();
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was answered").isNotNull();
        return refusal;
    }
}
