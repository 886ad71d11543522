package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.Results;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker with its own connection, which a test can cut, and whose session a test can resume on any scheduler. */
final class ResumingWorker implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    final BlockingQueue<Welcome> welcomes = new LinkedBlockingQueue<>();
    final BlockingQueue<Lease> leases = new LinkedBlockingQueue<>();
    final BlockingQueue<CancelJob> cancels = new LinkedBlockingQueue<>();
    final BlockingQueue<ResultAck> acks = new LinkedBlockingQueue<>();
    final BlockingQueue<Long> storedBatches = new LinkedBlockingQueue<>();
    /** The reasons why its streams have ended. */
    final BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();

    private final Hello hello;
    private @Nullable ManagedChannel channel;
    private @Nullable StreamObserver<OpenSessionRequest> requests;
    private long batch;

    ResumingWorker(String tag) {
        SlotGroup group =
                SlotGroup.newBuilder().setName("all").addTags(tag).setSlots(10).build();
        hello = Hello.newBuilder()
                .setWorkerName("resuming")
                .addSlotGroups(group)
                .build();
    }

    /** Opens a session on this port. */
    Welcome connect(int port) {
        open(port, hello);
        return next(welcomes);
    }

    /**
     * Requests to resume a session on this port with these leases. The next messages need not wait for the response.
     */
    void resume(int port, Welcome session, Lease... held) {
        Hello.Builder again =
                hello.toBuilder().setSessionId(session.getSessionId()).setResumeToken(session.getResumeToken());
        for (Lease lease : held) {
            again.addHeldLeases(
                    HeldLease.newBuilder().setJobId(lease.getJobId()).setLeaseToken(lease.getLeaseToken()));
        }
        open(port, again.build());
    }

    /** Ends the connection as the system does when a process dies. */
    void die() {
        if (channel != null) {
            channel.shutdownNow();
        }
    }

    void print(Lease lease, long sequence, String text) {
        WorkerLog log = WorkerLog.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setSequence(sequence)
                .setText(text)
                .build();
        send(OpenSessionRequest.newBuilder()
                .setLogs(WorkerLogs.newBuilder().setBatch(++batch).addLogs(log)));
    }

    void succeed(Lease lease) {
        JobResult ended = JobResult.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setResult(com.google.protobuf.ByteString.copyFromUtf8("1"))
                .build();
        send(OpenSessionRequest.newBuilder().setResults(Results.newBuilder().addResults(ended)));
    }

    static <T> T next(BlockingQueue<T> queue) {
        try {
            @Nullable T next = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing came in " + PATIENCE_SECONDS + " s");
            }
            return next;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        die();
    }

    private void open(int port, Hello first) {
        die();
        ManagedChannel opened = ManagedChannelBuilder.forAddress("localhost", port)
                .usePlaintext()
                .build();
        channel = opened;
        requests = WorkerSessionServiceGrpc.newStub(opened).openSession(new StreamObserver<>() {
            @Override
            public void onNext(OpenSessionResponse response) {
                switch (response.getMessageCase()) {
                    case WELCOME -> welcomes.add(response.getWelcome());
                    case LEASES -> leases.addAll(response.getLeases().getLeasesList());
                    case CANCEL_JOBS -> cancels.addAll(response.getCancelJobs().getJobsList());
                    case RESULT_ACKS -> acks.addAll(response.getResultAcks().getAcksList());
                    case LOG_ACK -> storedBatches.add(response.getLogAck().getBatch());
                    case HEARTBEAT, RECONNECT, ENDED_FOLDERS, VERSIONS_CHANGED, KILL, MESSAGE_NOT_SET -> {}
                }
            }

            @Override
            public void onError(Throwable failure) {
                ends.add(failure);
            }

            @Override
            public void onCompleted() {}
        });
        send(OpenSessionRequest.newBuilder().setHello(first));
    }

    private void send(OpenSessionRequest.Builder request) {
        Objects.requireNonNull(requests).onNext(request.build());
    }
}
