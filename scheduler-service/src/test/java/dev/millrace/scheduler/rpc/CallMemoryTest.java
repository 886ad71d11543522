package dev.millrace.scheduler.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.rpc.RetryInfo;
import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import dev.millrace.metrics.Metrics;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.SubmitRunsResponse;
import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.testing.OpenGuards;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.tls.InProcess;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the memory that calls may hold, as their callers see it. */
@Timeout(180)
class CallMemoryTest {
    private static final int MIB = 1 << 20;

    private final MemoryBudget budget = MemoryBudget.ofBytes(30 * MIB);
    private final MemoryPart requests = budget.part("requests", 0.3);
    private final MemoryPart answers = budget.part("answers", 0.3);
    private final MemoryPart results = budget.part("results", 0.3);
    private final Service service = new Service();
    private final GrpcServer server = GrpcServer.start(
            new GrpcConfig("127.0.0.1", 0),
            InProcess.newTarget(),
            List.of(service),
            Set.of(),
            new RpcMemory(requests, answers, results, MIB, Set.of()),
            OpenGuards.GUARDS,
            new CallMetrics(new Metrics()),
            Telemetry.off(),
            () -> true);
    private final ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            // A fixed window: one that grows with the time of a round trip may take in a whole answer that nobody
            // reads.
            .flowControlWindow(MIB)
            .maxInboundMessageSize(64 * MIB)
            .build();

    @AfterEach
    void stop() {
        service.release.countDown();
        channel.shutdownNow();
        server.close();
    }

    @Test
    void refusesTheBytesThatExceedWhatAllCallsTogetherMayHold() throws InterruptedException {
        CompletableFuture<Status> first = submit(5 * MIB);
        service.begun.acquire();

        CompletableFuture<Status> second = submit(5 * MIB);

        assertThat(second.join().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(second.join().getDescription()).contains("requests");
        service.release.countDown();
        assertThat(first.join().getCode()).isEqualTo(Status.Code.OK);
        assertThat(submit(5 * MIB).join().getCode()).isEqualTo(Status.Code.OK);
        awaitNothing(requests);
    }

    @Test
    void saysWhenToTryAgain() throws InterruptedException {
        var _ = submit(5 * MIB);
        service.begun.acquire();

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(channel).submitRun(run(5 * MIB)));

        assertThat(requireNonNull(StatusProto.fromThrowable(refused)).getDetailsList())
                .anySatisfy(detail -> assertThat(detail.is(RetryInfo.class)).isTrue());
        assertThat(service.submitted).as("calls that reached the service").hasValue(1);
    }

    @Test
    void refusesFromItsLengthWhatCouldNeverBeHeld() {
        assertThat(submit(20 * MIB).join().getDescription()).contains("maximum size");
        awaitNothing(requests);
    }

    @Test
    void countsWhatElementsTakeOnceTheyAreParsed() {
        SubmitRunsRequest many = SubmitRunsRequest.newBuilder()
                .addAllSpecs(Collections.nCopies(1_000_000, RunSpec.getDefaultInstance()))
                .build();
        assertThat(many.getSerializedSize()).isLessThan(3 * MIB);

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(channel).submitRuns(many));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(service.batches).hasValue(0);
        awaitNothing(requests);
    }

    @Test
    void countsWhatCompressedMessagesHold() {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(channel)
                        .withCompression("gzip")
                        .submitRuns(SubmitRunsRequest.newBuilder()
                                .addAllSpecs(Collections.nCopies(1_000_000, RunSpec.getDefaultInstance()))
                                .build()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(RunServiceGrpc.newBlockingStub(channel)
                        .withCompression("gzip")
                        .submitRuns(SubmitRunsRequest.newBuilder()
                                .addAllSpecs(Collections.nCopies(1_000, RunSpec.getDefaultInstance()))
                                .build())
                        .getRunIdsCount())
                .isEqualTo(1_000);
        awaitNothing(requests);
    }

    @Test
    void givesBackTheMessagesOfAStreamAsTheyAreAnswered() throws InterruptedException {
        BlockingQueue<SubmitRunBatchesResponse> answered = new LinkedBlockingQueue<>();
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        StreamObserver<SubmitRunBatchesRequest> batches = RunServiceGrpc.newStub(channel)
                .submitRunBatches(new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitRunBatchesResponse answer) {
                        answered.add(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        ended.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(null);
                    }
                });
        for (int i = 0; i < 10; i++) {
            batches.onNext(SubmitRunBatchesRequest.newBuilder()
                    .addSpecs(RunSpec.newBuilder().setInput(filler(3 * MIB)))
                    .build());
            assertThat(answered.poll(60, TimeUnit.SECONDS)).as("answer %d", i).isNotNull();
        }
        batches.onCompleted();

        ended.join();
        awaitNothing(requests);
    }

    @Test
    void refusesLargeAnswersWhileOthersLieUnread() throws InterruptedException {
        ClientCall<GetRunRequest, GetRunResponse> unread =
                channel.newCall(RunServiceGrpc.getGetRunMethod(), CallOptions.DEFAULT);
        unread.start(new ClientCall.Listener<>() {}, new Metadata());
        unread.sendMessage(GetRunRequest.getDefaultInstance());
        unread.halfClose();
        service.begun.acquire();
        awaitReserved(answers);

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(channel).getRun(GetRunRequest.getDefaultInstance()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        unread.cancel("The test is over.", null);
        awaitNothing(answers);
        assertThat(RunServiceGrpc.newBlockingStub(channel)
                        .getRun(GetRunRequest.getDefaultInstance())
                        .getRun()
                        .getOutput()
                        .size())
                .isEqualTo(6 * MIB);
        awaitNothing(answers);
    }

    @Test
    void holdsNothingAfterManyCallsOfAllFates() {
        service.release.countDown();
        List<CompletableFuture<Status>> calls = new ArrayList<>();
        IntStream.range(0, 300).forEach(i -> calls.add(submit(i % 3 == 0 ? 3 * MIB : 1_000)));

        assertThat(calls)
                .allSatisfy(
                        call -> assertThat(call.join().getCode()).isIn(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED));
        assertThat(calls).anySatisfy(call -> assertThat(call.join().isOk()).isTrue());
        awaitNothing(requests);
        awaitNothing(answers);
    }

    private CompletableFuture<Status> submit(int bytes) {
        var status = new CompletableFuture<Status>();
        ClientCall<SubmitRunRequest, SubmitRunResponse> call =
                channel.newCall(RunServiceGrpc.getSubmitRunMethod(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status end, Metadata trailers) {
                        status.complete(end);
                    }
                },
                new Metadata());
        call.request(2);
        call.sendMessage(run(bytes));
        call.halfClose();
        return status;
    }

    private static SubmitRunRequest run(int bytes) {
        return SubmitRunRequest.newBuilder()
                .setSpec(RunSpec.newBuilder().setInput(filler(bytes)))
                .build();
    }

    private static ByteString filler(int bytes) {
        return ByteString.copyFrom(new byte[bytes]);
    }

    private static void awaitNothing(MemoryPart part) {
        await(() -> part.reservedBytes() == 0);
    }

    private static void awaitReserved(MemoryPart part) {
        await(() -> part.reservedBytes() > 0);
    }

    /** Waits, because a call releases its last bytes just after its caller has the response. */
    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("time until the memory is given back")
                    .isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static final class Service extends RunServiceGrpc.RunServiceImplBase {
        final java.util.concurrent.Semaphore begun = new java.util.concurrent.Semaphore(0);
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicInteger submitted = new AtomicInteger();
        final AtomicInteger batches = new AtomicInteger();

        @Override
        public void submitRun(SubmitRunRequest request, StreamObserver<SubmitRunResponse> observer) {
            submitted.incrementAndGet();
            begun.release();
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            Unary.answer(observer, SubmitRunResponse.getDefaultInstance());
        }

        @Override
        public void submitRuns(SubmitRunsRequest request, StreamObserver<SubmitRunsResponse> observer) {
            batches.incrementAndGet();
            Unary.answer(
                    observer,
                    SubmitRunsResponse.newBuilder()
                            .addAllRunIds(Collections.nCopies(request.getSpecsCount(), ""))
                            .build());
        }

        @Override
        public StreamObserver<SubmitRunBatchesRequest> submitRunBatches(
                StreamObserver<SubmitRunBatchesResponse> observer) {
            var answers = (ServerCallStreamObserver<SubmitRunBatchesResponse>) observer;
            answers.disableAutoRequest();
            answers.request(2);
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitRunBatchesRequest batch) {
                    answers.onNext(SubmitRunBatchesResponse.getDefaultInstance());
                    answers.request(1);
                }

                @Override
                public void onError(Throwable gone) {}

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }

        @Override
        public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> observer) {
            begun.release();
            Unary.answer(
                    observer,
                    GetRunResponse.newBuilder()
                            .setRun(Run.newBuilder().setOutput(filler(6 * MIB)))
                            .build());
        }
    }
}
