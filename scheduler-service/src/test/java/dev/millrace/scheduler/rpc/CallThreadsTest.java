package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.metrics.Metrics;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.testing.OpenGuards;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.tls.InProcess;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallThreadsTest {
    private final Calls calls = new Calls();
    private final GrpcServer server = serve(Set.of());
    private final GrpcServer waitFreeServer =
            serve(Set.of(RunServiceGrpc.getSubmitRunBatchesMethod().getFullMethodName()));
    private final ManagedChannel channel = connect(server);
    private final ManagedChannel waitFreeChannel = connect(waitFreeServer);

    @AfterEach
    void stop() {
        channel.shutdownNow();
        waitFreeChannel.shutdownNow();
        server.close();
        waitFreeServer.close();
    }

    @Test
    void holdsUpNoOtherCallOfTheConnectionWhileOneWaits() throws Exception {
        var waiting = RunServiceGrpc.newFutureStub(channel).getRun(GetRunRequest.getDefaultInstance());

        // The cancellation lets the first call return.
        var _ = RunServiceGrpc.newBlockingStub(channel).listRuns(ListRunsRequest.getDefaultInstance());

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(GetRunResponse.getDefaultInstance());
    }

    @Test
    void servesCallsWithOneRequestOnVirtualThreads() {
        var list = RunServiceGrpc.newBlockingStub(channel).listRuns(ListRunsRequest.getDefaultInstance());
        var watch = RunServiceGrpc.newBlockingStub(channel).watchRun(WatchRunRequest.getDefaultInstance());

        assertThat(list).isEqualTo(ListRunsResponse.getDefaultInstance());
        assertThat(watch.next()).isEqualTo(WatchRunResponse.getDefaultInstance());
        assertThat(calls.threads).hasSize(2).allMatch(Thread::isVirtual);
    }

    @Test
    void servesTheMessagesOfAStreamOnVirtualThreadsInTheirOrder() {
        assertThat(stream(channel)).isEqualTo(requestIds());
        assertThat(calls.threads).allMatch(Thread::isVirtual);
    }

    @Test
    void servesWhatNeverWaitsOnTheThreadOfTheConnection() {
        assertThat(stream(waitFreeChannel)).isEqualTo(requestIds());
        assertThat(calls.threads).noneMatch(Thread::isVirtual).containsOnly(calls.threads.element());
    }

    @Test
    void answersACallThatFailsWithAnError() {
        calls.failure = new StackOverflowError();

        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RunServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .listRuns(ListRunsRequest.getDefaultInstance()));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    /** Sends many messages, and returns their ids in the order in which the server received them. */
    private List<String> stream(ManagedChannel through) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        StreamObserver<SubmitRunBatchesRequest> requests = RunServiceGrpc.newStub(through)
                .submitRunBatches(new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitRunBatchesResponse response) {}

                    @Override
                    public void onError(Throwable failure) {
                        ended.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(null);
                    }
                });
        requestIds()
                .forEach(id -> requests.onNext(
                        SubmitRunBatchesRequest.newBuilder().setRequestId(id).build()));
        requests.onCompleted();
        ended.orTimeout(60, TimeUnit.SECONDS).join();
        return List.copyOf(calls.requestIds);
    }

    private static List<String> requestIds() {
        return IntStream.range(0, 200).mapToObj(Integer::toString).toList();
    }

    private GrpcServer serve(Set<String> waitFreeMethods) {
        return GrpcServer.start(
                new GrpcConfig("127.0.0.1", 0),
                InProcess.newTarget(),
                List.of(calls),
                waitFreeMethods,
                TestMemory.ofCalls(),
                OpenGuards.GUARDS,
                new CallMetrics(new Metrics()),
                Telemetry.off(),
                () -> true);
    }

    private static ManagedChannel connect(GrpcServer server) {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
    }

    private static final class Calls extends RunServiceGrpc.RunServiceImplBase {
        final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        final Queue<String> requestIds = new ConcurrentLinkedQueue<>();
        private final CountDownLatch listed = new CountDownLatch(1);
        volatile @Nullable Error failure;

        @Override
        public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> observer) {
            try {
                assertThat(listed.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            Unary.answer(observer, GetRunResponse.getDefaultInstance());
        }

        @Override
        public void listRuns(ListRunsRequest request, StreamObserver<ListRunsResponse> observer) {
            threads.add(Thread.currentThread());
            Error thrown = failure;
            if (thrown != null) {
                throw thrown;
            }
            listed.countDown();
            Unary.answer(observer, ListRunsResponse.getDefaultInstance());
        }

        @Override
        public void watchRun(WatchRunRequest request, StreamObserver<WatchRunResponse> observer) {
            threads.add(Thread.currentThread());
            Unary.answer(observer, WatchRunResponse.getDefaultInstance());
        }

        @Override
        public StreamObserver<SubmitRunBatchesRequest> submitRunBatches(
                StreamObserver<SubmitRunBatchesResponse> observer) {
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitRunBatchesRequest request) {
                    threads.add(Thread.currentThread());
                    requestIds.add(request.getRequestId());
                }

                @Override
                public void onError(Throwable gone) {}

                @Override
                public void onCompleted() {
                    threads.add(Thread.currentThread());
                    observer.onCompleted();
                }
            };
        }
    }
}
