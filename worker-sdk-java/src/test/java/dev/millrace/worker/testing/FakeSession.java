package dev.millrace.worker.testing;

import com.google.protobuf.Duration;
import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.CancelJobs;
import dev.millrace.proto.worker.v1.EndedFolders;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.Leases;
import dev.millrace.proto.worker.v1.LogAck;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Reconnect;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.ResultAcks;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One stream from the scheduler's view: records the worker's messages, and sends what the test says. */
public final class FakeSession implements StreamObserver<OpenSessionRequest> {
    /** Long, so that a busy machine does not look like a dead connection. */
    private static final Duration HEARTBEAT =
            Duration.newBuilder().setSeconds(5).build();

    private final StreamObserver<OpenSessionResponse> responses;
    private final List<OpenSessionRequest> received = new ArrayList<>();
    private final Queue<JobResult> results = new ArrayDeque<>();
    private boolean answersHeartbeats = true;
    private boolean acknowledgesLogs = true;
    private boolean ended;
    private @Nullable Throwable error;

    FakeSession(StreamObserver<OpenSessionResponse> responses) {
        this.responses = responses;
    }

    // Messages of the scheduler.

    public FakeSession welcome(String sessionId) {
        return welcome(sessionId, false, builder -> builder);
    }

    public synchronized FakeSession welcome(String sessionId, boolean resumed, UnaryOperator<Welcome.Builder> change) {
        Welcome.Builder welcome = Welcome.newBuilder()
                .setSessionId(sessionId)
                .setResumeToken("token of " + sessionId)
                .setResumed(resumed)
                .setHeartbeatInterval(HEARTBEAT)
                .setSessionTtl(Duration.newBuilder().setSeconds(60))
                .setResultBytesMax(1 << 20)
                .setLogBytesMax(1 << 20);
        send(OpenSessionResponse.newBuilder().setWelcome(change.apply(welcome)));
        return this;
    }

    public void lease(Lease... leases) {
        send(OpenSessionResponse.newBuilder().setLeases(Leases.newBuilder().addAllLeases(List.of(leases))));
    }

    public void accept(JobResult result) {
        acknowledge(result, ResultAck.Disposition.DISPOSITION_ACCEPTED);
    }

    public void acknowledge(JobResult result, ResultAck.Disposition disposition) {
        send(OpenSessionResponse.newBuilder()
                .setResultAcks(ResultAcks.newBuilder()
                        .addAcks(ResultAck.newBuilder()
                                .setJobId(result.getJobId())
                                .setLeaseToken(result.getLeaseToken())
                                .setDisposition(disposition)
                                .setReason("The lease was no longer held."))));
    }

    public void cancel(Lease lease) {
        send(OpenSessionResponse.newBuilder()
                .setCancelJobs(CancelJobs.newBuilder()
                        .addJobs(CancelJob.newBuilder()
                                .setJobId(lease.getJobId())
                                .setLeaseToken(lease.getLeaseToken())
                                .setReason("The run was canceled."))));
    }

    public void endFolders(String... groups) {
        send(OpenSessionResponse.newBuilder()
                .setEndedFolders(EndedFolders.newBuilder().addAllGroupIds(List.of(groups))));
    }

    public void reconnect() {
        send(OpenSessionResponse.newBuilder().setReconnect(Reconnect.getDefaultInstance()));
    }

    public synchronized void fail(Status status) {
        ended = true;
        responses.onError(status.asRuntimeException());
    }

    public synchronized void stopAnsweringHeartbeats() {
        answersHeartbeats = false;
    }

    public synchronized void stopAcknowledgingLogs() {
        acknowledgesLogs = false;
    }

    private synchronized void send(OpenSessionResponse.Builder message) {
        if (!ended) {
            responses.onNext(message.build());
        }
    }

    // Messages of the worker.

    public Hello awaitHello() throws InterruptedException {
        return await(OpenSessionRequest::hasHello).getHello();
    }

    /** Waits for the next result, in the order of arrival. */
    public synchronized JobResult awaitResult() throws InterruptedException {
        awaitUntil(() -> !results.isEmpty(), "a result");
        return results.remove();
    }

    /** Waits for the next result and acknowledges it at once. */
    public JobResult awaitAndAcceptResult() throws InterruptedException {
        JobResult result = awaitResult();
        accept(result);
        return result;
    }

    /** Waits for the first message of a kind. */
    public synchronized OpenSessionRequest await(Predicate<OpenSessionRequest> kind) throws InterruptedException {
        awaitUntil(() -> received.stream().anyMatch(kind), "a message");
        return received.stream().filter(kind).findFirst().orElseThrow();
    }

    /** Waits until the log of a job contains this text, and returns the whole log. */
    public synchronized String awaitLog(String jobId, String text) throws InterruptedException {
        awaitUntil(() -> log(jobId).contains(text), "the log text \"" + text + "\"");
        return log(jobId);
    }

    public void awaitStarted(String jobId) throws InterruptedException {
        await(message -> message.getStarted().getJobsList().stream()
                .anyMatch(started -> started.getJobId().equals(jobId)));
    }

    public synchronized void awaitEnd() throws InterruptedException {
        awaitUntil(() -> ended, "the end of the stream");
    }

    public synchronized @Nullable Throwable error() {
        return error;
    }

    public synchronized List<OpenSessionRequest> received() {
        return List.copyOf(received);
    }

    public synchronized List<WorkerLogs> logBatches() {
        return received.stream()
                .filter(OpenSessionRequest::hasLogs)
                .map(OpenSessionRequest::getLogs)
                .toList();
    }

    public synchronized String log(String jobId) {
        return logBatches().stream()
                .flatMap(batch -> batch.getLogsList().stream())
                .filter(log -> log.getJobId().equals(jobId))
                .map(WorkerLog::getText)
                .collect(Collectors.joining());
    }

    private synchronized void awaitUntil(java.util.function.BooleanSupplier condition, String what)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FakeScheduler.WAIT_SECONDS);
        while (!condition.getAsBoolean()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (leftMillis <= 0) {
                throw new AssertionError("The worker has not sent " + what + ". It sent: " + received);
            }
            wait(leftMillis);
        }
    }

    @Override
    public synchronized void onNext(OpenSessionRequest message) {
        received.add(message);
        results.addAll(message.getResults().getResultsList());
        if (message.hasHeartbeat() && answersHeartbeats) {
            send(OpenSessionResponse.newBuilder().setHeartbeat(message.getHeartbeat()));
        } else if (message.hasLogs() && acknowledgesLogs) {
            send(OpenSessionResponse.newBuilder()
                    .setLogAck(LogAck.newBuilder().setBatch(message.getLogs().getBatch())));
        }
        notifyAll();
    }

    @Override
    public synchronized void onError(Throwable thrown) {
        error = thrown;
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized void onCompleted() {
        if (!ended) {
            ended = true;
            responses.onCompleted();
        }
        notifyAll();
    }
}
