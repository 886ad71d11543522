package dev.millrace.scheduler.quota;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a stream of submissions beyond its quota is slowed, and holds up nobody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PacedSubmissionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PER_SECOND = 100;

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    PacedSubmissionTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void createWorkspaces() {
        for (String name : List.of("paced", "owing", "held")) {
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
    void aStreamBeyondItsRateIsSlowedNotRefused() throws Exception {
        quotas("paced").set(Quotas.newBuilder().setSubmitsPerSecondMax(PER_SECOND));
        Batches batches = new Batches(calls.with(calls.owner()), "paced");

        long begin = System.nanoTime();
        for (int batch = 0; batch < 4; batch++) {
            batches.send(PER_SECOND);
        }
        for (int batch = 0; batch < 4; batch++) {
            assertThat(batches.awaitAnswer().getRunIdsCount()).isEqualTo(PER_SECOND);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        batches.complete();

        // The first two find something in the bucket, and each of the others waits until the one before is paid back.
        System.out.printf("quota: 4 batches of %d runs took %d ms%n", PER_SECOND, took.toMillis());
        assertThat(took).isGreaterThan(Duration.ofMillis(1_900));
        assertThat(quotas("paced").get().getUse().getRefusedCalls()).isZero();
    }

    @Test
    void aStreamThatOwesTooMuchIsRefused() throws Exception {
        quotas("owing").set(Quotas.newBuilder().setSubmitsPerSecondMax(1));
        Batches batches = new Batches(calls.with(calls.owner()), "owing");
        batches.send(PER_SECOND);
        assertThat(batches.awaitAnswer().getRunIdsCount()).isEqualTo(PER_SECOND);

        batches.send(1);

        StatusRuntimeException refusal = batches.awaitFailure();
        assertThat(code(refusal)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(reason(refusal)).isEqualTo("QUOTA_EXCEEDED");
        assertThat(quotas("owing").get().getUse().getRefusedCalls()).isOne();
    }

    @Test
    void aStreamThatIsHeldBackHoldsUpNoCheckOfTokens() throws Exception {
        quotas("held").set(Quotas.newBuilder().setSubmitsPerSecondMax(10));
        String first = calls.user("held", "", Role.ROLE_DEVELOPER);
        String second = calls.user("held", "", Role.ROLE_DEVELOPER);
        Batches held = new Batches(calls.with(first), "held");
        Batches idle = new Batches(calls.with(second), "held");
        idle.send(1);
        assertThat(idle.awaitAnswer().getRunIdsCount()).isOne();
        held.send(250);
        assertThat(held.awaitAnswer().getRunIdsCount()).isEqualTo(250);
        held.send(1);

        long begin = System.nanoTime();
        revoke(first);
        assertThat(code(held.awaitFailure())).isEqualTo(Status.Code.UNAUTHENTICATED);
        revoke(second);
        assertThat(code(idle.awaitFailure())).isEqualTo(Status.Code.UNAUTHENTICATED);

        // The stream that is held back would wait for 25 s.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    }

    private QuotaCalls quotas(String workspace) {
        return new QuotaCalls(calls.with(calls.owner()), workspace);
    }

    private void revoke(String token) {
        String id = PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getTokenId();
        var _ = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .revokeToken(RevokeTokenRequest.newBuilder().setId(id).build());
    }

    /** A stream of submissions. */
    private static final class Batches implements StreamObserver<SubmitRunBatchesResponse> {
        private final String workspace;
        private final BlockingQueue<SubmitRunBatchesResponse> answers = new LinkedBlockingQueue<>();
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final StreamObserver<SubmitRunBatchesRequest> requests;

        Batches(Channel channel, String workspace) {
            this.workspace = workspace;
            this.requests = RunServiceGrpc.newStub(channel).submitRunBatches(this);
        }

        void send(int runs) {
            requests.onNext(SubmitRunBatchesRequest.newBuilder()
                    .setWorkspace(workspace)
                    .addAllSpecs(Collections.nCopies(runs, QuotaCalls.spec()))
                    .build());
        }

        void complete() throws Exception {
            requests.onCompleted();
            end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }

        SubmitRunBatchesResponse awaitAnswer() throws InterruptedException {
            SubmitRunBatchesResponse answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return Objects.requireNonNull(answer, () -> "no answer to a batch; end of the stream: " + end);
        }

        StatusRuntimeException awaitFailure() throws Exception {
            try {
                end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException failure) {
                return (StatusRuntimeException) Objects.requireNonNull(failure.getCause());
            }
            throw new AssertionError("the stream ended without a failure");
        }

        @Override
        public void onNext(SubmitRunBatchesResponse answer) {
            answers.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            end.complete(null);
        }
    }
}
