package dev.millrace.scheduler.quota;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.quota.v1.GetQuotasResponse;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is refused beyond quotas, and that it costs nobody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuotaTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MEASURED = Duration.ofSeconds(3);
    private static final double RATIO_MIN = 0.2;
    private static final int FLOODING_THREADS = 4;

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    QuotaTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void createWorkspaces() {
        for (String name : List.of("rates", "batches", "payloads", "queues", "streams", "limited", "flood", "calm")) {
            WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                    .createWorkspace(
                            CreateWorkspaceRequest.newBuilder().setName(name).build());
        }
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aRefusalNamesTheQuotaAndWhenToTryAgain() throws Exception {
        set("rates", Quotas.newBuilder().setSubmitsPerSecondMax(2));

        StatusRuntimeException refusal = refusal(() -> {
            for (int run = 0; run < 1_000; run++) {
                submit(calls.owner(), "rates", 0);
            }
        });

        assertThat(code(refusal)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(reason(refusal)).isEqualTo("QUOTA_EXCEEDED");
        assertThat(refusal)
                .hasMessageContaining("Workspace rates may have 2 submitted runs a second")
                .hasMessageContaining("submits_per_second_max")
                .hasMessageContaining("Try again in");
        var retry = Objects.requireNonNull(StatusProto.fromThrowable(refusal)).getDetailsList().stream()
                .filter(detail -> detail.is(RetryInfo.class))
                .findFirst()
                .orElseThrow()
                .unpack(RetryInfo.class)
                .getRetryDelay();
        assertThat(retry.getSeconds()).isZero();
        assertThat(retry.getNanos()).isPositive();
        submit(calls.owner(), "default", 0);
    }

    @Test
    void aLargeBatchIsPaidBackLater() {
        set("batches", Quotas.newBuilder().setSubmitsPerSecondMax(10));

        submitBatch("batches", 500);

        assertThat(refusal(() -> submit(calls.owner(), "batches", 0))).hasMessageContaining("Try again in 4");
    }

    @Test
    void payloadsHaveAQuota() {
        set("payloads", Quotas.newBuilder().setPayloadBytesPerSecondMax(1_000));

        submit(calls.owner(), "payloads", 50_000);

        assertThat(refusal(() -> submit(calls.owner(), "payloads", 10)))
                .hasMessageContaining("payload_bytes_per_second_max");
    }

    @Test
    void jobsThatWaitHaveAQuota() {
        set("queues", Quotas.newBuilder().setQueuedJobsMax(20));
        submitBatch("queues", 20);

        // A count that runs while the batch is being stored may miss it; the next one does not.
        StatusRuntimeException refusal = QuotaCalls.refusalWithin(() -> submit(calls.owner(), "queues", 0));

        assertThat(refusal).hasMessageContaining("20 jobs that wait or run").hasMessageContaining("queued_jobs_max");
        assertThat(get(calls.owner(), "queues").getUse().getQueuedJobs()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void openStreamsHaveAQuotaAndAreGivenBack() {
        set("streams", Quotas.newBuilder().setOpenStreamsMax(1));
        String run = submit(calls.owner(), "streams", 0);
        Context.CancellableContext caller = Context.current().withCancellation();
        caller.run(() -> assertThat(watch(run).next().hasRun()).isTrue());

        assertThat(refusal(() -> watch(run).next())).hasMessageContaining("open_streams_max");

        caller.cancel(null);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (get(calls.owner(), "streams").getUse().getOpenStreams() > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(get(calls.owner(), "streams").getUse().getOpenStreams()).isZero();
    }

    @Test
    void aTokenHasAQuotaOfItsOwn() {
        String runner = calls.user("default", "", Role.ROLE_DEVELOPER);
        String narrow = TokenServiceGrpc.newBlockingStub(calls.with(runner))
                .createToken(CreateTokenRequest.newBuilder()
                        .setName("slow")
                        .setRestrictions(TokenRestrictions.newBuilder().setSubmitsPerSecondMax(1))
                        .build())
                .getSecret();

        StatusRuntimeException refusal = QuotaCalls.refusalWithin(() -> submit(narrow, "", 0));

        assertThat(refusal).hasMessageContaining("This token may have 1 submitted runs a second");
        submit(runner, "", 0);
        assertThat(code(refusal(() -> TokenServiceGrpc.newBlockingStub(calls.with(narrow))
                        .createToken(
                                CreateTokenRequest.newBuilder().setName("more").build()))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void onlyOwnersLiftQuotasAndAdminsSeeThem() {
        String admin = calls.user("limited", "", Role.ROLE_ADMIN);
        set("limited", Quotas.newBuilder().setLogBytesPerSecondMax(5));

        assertThat(get(admin, "limited").getQuotas().getLogBytesPerSecondMax()).isEqualTo(5);
        assertThat(code(refusal(() -> QuotaServiceGrpc.newBlockingStub(calls.with(admin))
                        .setQuotas(SetQuotasRequest.newBuilder()
                                .setWorkspace("limited")
                                .build()))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> get(admin, "default")))).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void aWorkspaceAtItsLimitsLeavesOthersTheirSpeed() throws InterruptedException {
        set("flood", Quotas.newBuilder().setSubmitsPerSecondMax(10));
        measure("calm");
        double alone = measure("calm");
        double beside = measureBesideFlood();
        long refused = get(calls.owner(), "flood").getUse().getRefusedCalls();
        set("flood", Quotas.newBuilder());
        double unprotected = measureBesideFlood();

        System.out.printf(
                "quota: %.0f submits/s alone; %.0f beside a flood at its quota (ratio %.2f, %d calls refused); "
                        + "%.0f beside the same flood without a quota (ratio %.2f)%n",
                alone, beside, beside / alone, refused, unprotected, unprotected / alone);
        assertThat(refused).isPositive();
        // The flood comes from this very process, and its refused calls take their part of the same cores.
        assertThat(beside / alone).isGreaterThan(RATIO_MIN);
    }

    private double measureBesideFlood() throws InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread[] flood = new Thread[FLOODING_THREADS];
        for (int i = 0; i < flood.length; i++) {
            flood[i] = Thread.ofVirtual().start(() -> flood(isOver));
        }
        double measured = measure("calm");
        isOver.set(true);
        for (Thread thread : flood) {
            thread.join();
        }
        return measured;
    }

    /** Submitted runs a second of one caller, each after the answer to the one before. */
    private double measure(String workspace) {
        long begin = System.nanoTime();
        long runs = 0;
        while (System.nanoTime() - begin < MEASURED.toNanos()) {
            submit(calls.owner(), workspace, 0);
            runs++;
        }
        return runs * 1e9 / (System.nanoTime() - begin);
    }

    /** A caller that does not care about refusals. */
    private void flood(AtomicBoolean isOver) {
        while (!isOver.get()) {
            try {
                submit(calls.owner(), "flood", 0);
            } catch (StatusRuntimeException refused) {
                assertThat(code(refused)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            }
        }
    }

    private void set(String workspace, Quotas.Builder quotas) {
        calls(workspace).set(quotas);
    }

    private GetQuotasResponse get(String token, String workspace) {
        return new QuotaCalls(calls.with(token), workspace).get();
    }

    private String submit(String token, String workspace, int bytes) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(spec(bytes))
                        .build())
                .getRun()
                .getId();
    }

    private void submitBatch(String workspace, int runs) {
        calls(workspace).submitBatch(runs);
    }

    private QuotaCalls calls(String workspace) {
        return new QuotaCalls(calls.with(calls.owner()), workspace);
    }

    private static RunSpec spec(int bytes) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setHandler("nobody"))
                .setInput(ByteString.copyFromUtf8("{\"text\":\"" + "x".repeat(bytes) + "\"}"))
                .build();
    }

    private Iterator<WatchRunResponse> watch(String run) {
        return calls("streams").watch(run);
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }
}
