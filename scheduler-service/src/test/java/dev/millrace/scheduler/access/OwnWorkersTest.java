package dev.millrace.scheduler.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.metrics.Metrics;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.testing.TestDatabase;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.tls.InProcess;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers in the process of a scheduler that wants tokens of everybody else. */
class OwnWorkersTest {
    @TempDir
    private static Path folder;

    private static TestDatabase database;
    private static Scheduler scheduler;
    private static ManagedChannel inside;

    @BeforeAll
    static void start() {
        String target = InProcess.newTarget();
        database = TestDatabase.migrated();
        scheduler = Scheduler.start(
                database.schedulerConfig().withAccess(new AccessConfig(true, folder.resolve("owner-token"))),
                target,
                new Metrics(),
                Tracing.off());
        inside = InProcess.channel(target).usePlaintext().build();
    }

    @AfterAll
    static void stop() {
        inside.shutdownNow();
        scheduler.close();
        database.close();
    }

    @Test
    void needNoToken() {
        assertThat(openSession(inside))
                .succeedsWithin(60, TimeUnit.SECONDS)
                .satisfies(answer -> assertThat(answer.hasWelcome()).isTrue());
    }

    @Test
    void mayServeJobsAndNothingElse() {
        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(inside).listRuns(ListRunsRequest.getDefaultInstance()));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal).hasMessageContaining("worker:own may only serve jobs");
    }

    /** Nobody can read the connection, so the lease alone decides. */
    @Test
    void mayHaveSecrets() {
        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> JobApiServiceGrpc.newBlockingStub(inside)
                        .resolveSecrets(ResolveSecretsRequest.getDefaultInstance()));

        assertThat(refusal.getStatus().getCode())
                .isNotIn(Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED, Status.Code.INTERNAL);
    }

    @Test
    void theSameCallsOverThePortNeedAToken() {
        ManagedChannel outside = ManagedChannelBuilder.forAddress("localhost", scheduler.port())
                .usePlaintext()
                .build();
        try {
            assertThat(openSession(outside))
                    .failsWithin(60, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("UNAUTHENTICATED");
        } finally {
            outside.shutdownNow();
        }
    }

    private static CompletableFuture<OpenSessionResponse> openSession(ManagedChannel channel) {
        CompletableFuture<OpenSessionResponse> answer = new CompletableFuture<>();
        StreamObserver<OpenSessionRequest> requests = WorkerSessionServiceGrpc.newStub(channel)
                .openSession(new StreamObserver<>() {
                    @Override
                    public void onNext(OpenSessionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(OpenSessionRequest.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorkerName("test")
                        .addSlotGroups(SlotGroup.newBuilder().setName("python").addTags("python")))
                .build());
        return answer;
    }
}
