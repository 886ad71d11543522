package dev.millrace.e2e.attack;

import com.google.protobuf.ByteString;
import dev.millrace.e2e.support.Api;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.Results;
import dev.millrace.proto.worker.v1.ReturnedJob;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker that sends what it likes on its session, and runs no job. */
final class AttackingWorker implements AutoCloseable {
    private final BlockingQueue<Welcome> welcomes = new LinkedBlockingQueue<>();
    private final BlockingQueue<Lease> leases = new LinkedBlockingQueue<>();
    private final BlockingQueue<ResultAck> acks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> heartbeats = new LinkedBlockingQueue<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final StreamObserver<OpenSessionRequest> requests;

    /** Begins a session with this message. */
    AttackingWorker(Channel channel, Hello hello) {
        requests = WorkerSessionServiceGrpc.newStub(channel).openSession(new StreamObserver<>() {
            @Override
            public void onNext(OpenSessionResponse response) {
                received(response);
            }

            @Override
            public void onError(Throwable failure) {
                end.complete(Status.fromThrowable(failure));
            }

            @Override
            public void onCompleted() {
                end.complete(Status.OK);
            }
        });
        send(OpenSessionRequest.newBuilder().setHello(hello));
    }

    /** A greeting that offers room for jobs with these tags. */
    static Hello hello(String... tags) {
        return Hello.newBuilder()
                .setWorkerName("attacker")
                .addSlotGroups(slots(tags))
                .build();
    }

    static SlotGroup slots(String... tags) {
        return SlotGroup.newBuilder()
                .setName("all")
                .addAllTags(List.of(tags))
                .setSlots(10)
                .build();
    }

    void send(OpenSessionRequest.Builder message) {
        requests.onNext(message.build());
    }

    Welcome welcome() {
        return next(welcomes);
    }

    Lease lease() {
        return next(leases);
    }

    /** The number of the next heartbeat that the scheduler answers. */
    long heartbeat() {
        return next(heartbeats);
    }

    /** Reports that the job of the lease has succeeded, and returns what the scheduler makes of it. */
    ResultAck succeed(Lease lease) {
        send(OpenSessionRequest.newBuilder()
                .setResults(Results.newBuilder()
                        .addResults(JobResult.newBuilder()
                                .setJobId(lease.getJobId())
                                .setLeaseToken(lease.getLeaseToken())
                                .setResult(ByteString.copyFromUtf8("1")))));
        return next(acks);
    }

    /** Returns the job of the lease to the queue. */
    void giveBack(Lease lease) {
        send(OpenSessionRequest.newBuilder()
                .setResults(Results.newBuilder()
                        .addResults(JobResult.newBuilder()
                                .setJobId(lease.getJobId())
                                .setLeaseToken(lease.getLeaseToken())
                                .setReturned(
                                        ReturnedJob.newBuilder().setReason("The attacker wants another lease.")))));
        next(acks);
    }

    /** How the scheduler ends the session. */
    Status.Code end() {
        return end.orTimeout(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS).join().getCode();
    }

    @Override
    public void close() {
        if (!end.isDone()) {
            requests.onError(Status.CANCELLED.asRuntimeException());
        }
    }

    private void received(OpenSessionResponse response) {
        switch (response.getMessageCase()) {
            case WELCOME -> welcomes.add(response.getWelcome());
            case LEASES -> leases.addAll(response.getLeases().getLeasesList());
            case RESULT_ACKS -> acks.addAll(response.getResultAcks().getAcksList());
            case HEARTBEAT -> heartbeats.add(response.getHeartbeat().getSequence());
            case LOG_ACK, CANCEL_JOBS, RECONNECT, ENDED_FOLDERS, VERSIONS_CHANGED, KILL, MESSAGE_NOT_SET -> {}
        }
    }

    /** Fails if nothing comes, and says how the session has ended, if it has. */
    private <T> T next(BlockingQueue<T> queue) {
        try {
            @Nullable T next = queue.poll(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("The scheduler sent nothing. The end of the session: " + end);
            }
            return next;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the scheduler.", interrupted);
        }
    }
}
