package dev.millrace.flowtest.script;

import com.google.protobuf.Duration;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.Leases;
import dev.millrace.proto.worker.v1.LogAck;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.ResultAcks;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerLog;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The scheduler's end of the worker's stream: hands out one lease at a time, and keeps its log and its result. */
final class TestSession implements StreamObserver<OpenSessionRequest> {
    /** Number of characters of a job's log that are kept. */
    private static final int LOG_CHARS_MAX = 64 << 10;
    /** Number of bytes of a result. */
    private static final int RESULT_BYTES_MAX = 4 << 20;

    private static final int LOG_BYTES_MAX = 16 << 20;
    private static final Duration HEARTBEAT =
            Duration.newBuilder().setSeconds(5).build();
    private static final Duration LIFE = Duration.newBuilder().setSeconds(600).build();

    private final StreamObserver<OpenSessionResponse> worker;
    private final CompletableFuture<List<SlotGroup>> groups = new CompletableFuture<>();
    private final Map<String, Waiting> jobs = new HashMap<>();

    private static final class Waiting {
        private final CompletableFuture<JobResult> result = new CompletableFuture<>();
        private final StringBuilder log = new StringBuilder();
    }

    /**
     * The end of a job.
     *
     * @param log the beginning of what it printed
     */
    record Ended(JobResult result, String log) {}

    TestSession(StreamObserver<OpenSessionResponse> worker) {
        this.worker = worker;
    }

    /** The groups of slots of the worker, once it has said which it has. */
    CompletableFuture<List<SlotGroup>> groups() {
        return groups;
    }

    /** Lets the worker run a job. */
    synchronized CompletableFuture<Ended> run(Lease lease) {
        Waiting waiting = new Waiting();
        jobs.put(lease.getJobId(), waiting);
        worker.onNext(OpenSessionResponse.newBuilder()
                .setLeases(Leases.newBuilder().addLeases(lease))
                .build());
        return waiting.result.thenApply(result -> new Ended(result, waiting.log.toString()));
    }

    @Override
    public void onNext(OpenSessionRequest message) {
        switch (message.getMessageCase()) {
            case HELLO -> welcome(message.getHello().getSlotGroupsList());
            case HEARTBEAT -> send(OpenSessionResponse.newBuilder().setHeartbeat(message.getHeartbeat()));
            case LOGS -> {
                message.getLogs().getLogsList().forEach(this::keep);
                send(OpenSessionResponse.newBuilder()
                        .setLogAck(
                                LogAck.newBuilder().setBatch(message.getLogs().getBatch())));
            }
            case RESULTS -> message.getResults().getResultsList().forEach(this::end);
            case DEMAND, STARTED, GOODBYE, HELD_FOLDERS, MESSAGE_NOT_SET -> {
                // One job at a time needs no room, and no folder outlives the worker.
            }
        }
    }

    private void welcome(List<SlotGroup> slots) {
        send(OpenSessionResponse.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setSessionId("test")
                        .setResumeToken("test")
                        .setHeartbeatInterval(HEARTBEAT)
                        .setSessionTtl(LIFE)
                        .setResultBytesMax(RESULT_BYTES_MAX)
                        .setLogBytesMax(LOG_BYTES_MAX)));
        groups.complete(List.copyOf(slots));
    }

    private synchronized void keep(WorkerLog line) {
        @Nullable Waiting job = jobs.get(line.getJobId());
        if (job != null) {
            int room = LOG_CHARS_MAX - job.log.length();
            job.log.append(line.getText(), 0, Math.min(room, line.getText().length()));
        }
    }

    private void end(JobResult result) {
        Optional<Waiting> ended = take(result.getJobId());
        send(OpenSessionResponse.newBuilder()
                .setResultAcks(ResultAcks.newBuilder()
                        .addAcks(ResultAck.newBuilder()
                                .setJobId(result.getJobId())
                                .setLeaseToken(result.getLeaseToken())
                                .setDisposition(ResultAck.Disposition.DISPOSITION_ACCEPTED))));
        ended.ifPresent(job -> job.result.complete(result));
    }

    private synchronized Optional<Waiting> take(String jobId) {
        return Optional.ofNullable(jobs.remove(jobId));
    }

    private synchronized void send(OpenSessionResponse.Builder message) {
        worker.onNext(message.build());
    }

    @Override
    public void onError(Throwable cause) {
        gone(cause);
    }

    @Override
    public void onCompleted() {
        worker.onCompleted();
        gone(new IllegalStateException("The worker has stopped."));
    }

    private void gone(Throwable cause) {
        List<Waiting> lost;
        synchronized (this) {
            lost = new ArrayList<>(jobs.values());
            jobs.clear();
        }
        groups.completeExceptionally(cause);
        lost.forEach(job -> job.result.completeExceptionally(cause));
    }
}
