package dev.millrace.e2e.load;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.HeldFolders;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Results;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Client with calls to a scheduler that no well-behaved client makes. It ignores the answers. */
final class GrpcAttacker implements AutoCloseable {
    private static final long READY_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long ANSWER_SECONDS_MAX = 20;

    private final String scheduler;
    private final List<ManagedChannel> channels = new CopyOnWriteArrayList<>();

    GrpcAttacker(String scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Sends this many calls at once, each on its own connection with an input of this size. Returns when all are
     * answered.
     */
    void sendLargeMessages(int calls, int bytes) {
        var filler = new byte[bytes];
        Arrays.fill(filler, (byte) ' ');
        var spec = RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setHandler("nobody"))
                .setInput(com.google.protobuf.UnsafeByteOperations.unsafeWrap(filler));
        var request = SubmitRunRequest.newBuilder().setSpec(spec).build();
        callAtOnce(calls, RunServiceGrpc.getSubmitRunMethod(), request);
    }

    /** Like {@link #sendLargeMessages}, with many empty elements, which take far more memory than bytes on the wire. */
    void sendManyElements(int calls, int elements) {
        var request = SubmitRunsRequest.newBuilder()
                .addAllSpecs(Collections.nCopies(elements, RunSpec.getDefaultInstance()))
                .build();
        callAtOnce(calls, RunServiceGrpc.getSubmitRunsMethod(), request);
    }

    /** Asks about folders repeatedly, as a worker, for this long. */
    void floodHeldFolders(int idsPerMessage, long nanos) {
        var ids = HeldFolders.newBuilder();
        for (int i = 0; i < idsPerMessage; i++) {
            ids.addGroupIds(new UUID(i, i).toString());
        }
        flood(OpenSessionRequest.newBuilder().setHeldFolders(ids).build(), true, nanos);
    }

    /** Sends results of unknown jobs for this long, and reads the answers or never does. */
    void floodUnknownResults(int resultsPerMessage, int resultBytes, boolean reads, long nanos) {
        var filler = new byte[resultBytes];
        Arrays.fill(filler, (byte) '1');
        ByteString payload = ByteString.copyFrom(filler);
        var results = Results.newBuilder();
        for (int i = 0; i < resultsPerMessage; i++) {
            results.addResults(JobResult.newBuilder()
                    .setJobId(new UUID(0x0190_0000_0000_7000L + i, 0x8000_0000_0000_0000L + i).toString())
                    .setLeaseToken(i + 1)
                    .setResult(payload));
        }
        flood(OpenSessionRequest.newBuilder().setResults(results).build(), reads, nanos);
    }

    /** Sends heartbeats whose answers are never read. */
    void floodHeartbeats(long nanos) {
        flood(
                OpenSessionRequest.newBuilder()
                        .setHeartbeat(Heartbeat.getDefaultInstance())
                        .build(),
                false,
                nanos);
    }

    /** Follows a run with this many calls on one connection, and reads no answers. */
    void watchAndNeverRead(String run, int calls) {
        ManagedChannel channel = channel();
        var request =
                WatchRunRequest.newBuilder().setRunId(run).setIncludeLogs(true).build();
        for (int i = 0; i < calls; i++) {
            var call = channel.newCall(RunServiceGrpc.getWatchRunMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
            call.sendMessage(request);
            call.halfClose();
        }
    }

    /** Closes all connections. */
    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        channels.clear();
    }

    private void flood(OpenSessionRequest message, boolean reads, long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            floodUntilRefused(message, reads, end);
        }
    }

    private void floodUntilRefused(OpenSessionRequest message, boolean reads, long end) {
        ManagedChannel channel = channel();
        ClientCall<OpenSessionRequest, OpenSessionResponse> call =
                channel.newCall(WorkerSessionServiceGrpc.getOpenSessionMethod(), CallOptions.DEFAULT);
        var closed = new CompletableFuture<Status>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(OpenSessionResponse answer) {
                        if (reads) {
                            call.request(1);
                        }
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        closed.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(OpenSessionRequest.newBuilder()
                .setHello(Hello.newBuilder().setWorkerName("attacker").setVersion("0"))
                .build());
        while (System.nanoTime() < end && !closed.isDone()) {
            if (call.isReady()) {
                call.sendMessage(message);
            } else {
                LockSupport.parkNanos(READY_LOOK_NANOS);
            }
        }
        call.cancel("The attack is over.", null);
        channel.shutdownNow();
        channels.remove(channel);
    }

    private <Q> void callAtOnce(int calls, MethodDescriptor<Q, ?> method, Q request) {
        Supplier<CompletableFuture<Status>> one = () -> call(channel(), method, request);
        List<CompletableFuture<Status>> answers =
                java.util.stream.Stream.generate(one).limit(calls).toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        close();
    }

    private static <Q, A> CompletableFuture<Status> call(
            ManagedChannel channel, MethodDescriptor<Q, A> method, Q request) {
        var answer = new CompletableFuture<Status>();
        var call = channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        answer.complete(status);
                    }
                },
                new Metadata());
        call.sendMessage(request);
        call.halfClose();
        call.request(2);
        return answer;
    }

    private ManagedChannel channel() {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(scheduler).usePlaintext().build();
        channels.add(channel);
        return channel;
    }
}
