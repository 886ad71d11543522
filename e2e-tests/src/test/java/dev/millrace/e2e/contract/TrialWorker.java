package dev.millrace.e2e.contract;

import dev.millrace.e2e.support.Api;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker without slots that lets itself be killed, and does not mind. */
final class TrialWorker implements StreamObserver<OpenSessionResponse>, AutoCloseable {
    private final ManagedChannel channel;
    private final CompletableFuture<String> session = new CompletableFuture<>();
    private final CompletableFuture<Boolean> killed = new CompletableFuture<>();

    /** Connects to the scheduler at this address. */
    TrialWorker(String address) {
        channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build();
        WorkerSessionServiceGrpc.newStub(channel)
                .openSession(this)
                .onNext(OpenSessionRequest.newBuilder()
                        .setHello(Hello.newBuilder().setWorkerName("trial").setKillable(true))
                        .build());
    }

    /** Id of its session. */
    String session() {
        return session.orTimeout(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Waits until the scheduler tells it to end. */
    void awaitKill() {
        killed.orTimeout(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void onNext(OpenSessionResponse response) {
        if (response.hasWelcome()) {
            session.complete(response.getWelcome().getSessionId());
        } else if (response.hasKill()) {
            killed.complete(true);
        }
    }

    @Override
    public void onError(Throwable failure) {
        session.completeExceptionally(failure);
        killed.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
