package dev.millrace.scheduler.testing;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.Goodbye;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Kill;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.Results;
import dev.millrace.proto.worker.v1.ReturnedJob;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Started;
import dev.millrace.proto.worker.v1.StartedJobs;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker whose jobs end when the test decides. */
public final class HandlerWorker implements StreamObserver<OpenSessionResponse>, AutoCloseable {
    private static final int SLOTS = 100;

    private final BlockingQueue<Lease> leases = new LinkedBlockingQueue<>();
    private final BlockingQueue<Heartbeat> answers = new LinkedBlockingQueue<>();
    private final CompletableFuture<Kill> killed = new CompletableFuture<>();
    private final CompletableFuture<Throwable> failed = new CompletableFuture<>();
    private final StreamObserver<OpenSessionRequest> requests;
    private final CompletableFuture<Welcome> welcome = new CompletableFuture<>();
    private long batch;

    /** Connects a worker named {@code tester} that takes jobs of these tags. */
    public HandlerWorker(Channel channel, String... tags) {
        this(channel, List.of(group("all", tags).setSlots(SLOTS).build()));
    }

    /** Connects a worker named {@code tester} with these slot groups. */
    public HandlerWorker(Channel channel, List<SlotGroup> groups) {
        this(channel, Hello.newBuilder().addAllSlotGroups(groups));
    }

    /** Connects a worker named {@code tester}. */
    public HandlerWorker(Channel channel, Hello.Builder hello) {
        requests = WorkerSessionServiceGrpc.newStub(channel).openSession(this);
        send(OpenSessionRequest.newBuilder().setHello(hello.setWorkerName("tester")));
    }

    /** Waits until the session is open. */
    public Welcome welcome() {
        return welcome.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Waits until the session is refused. */
    public Throwable failure() {
        return welcome.handle((opened, failure) -> {
                    if (failure == null) {
                        throw new AssertionError("the session was opened: " + opened);
                    }
                    return failure;
                })
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    /** Waits until the scheduler ends the open session. */
    public Throwable end() {
        return failed.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Waits until the scheduler tells the worker to crash. */
    public void awaitKill() {
        killed.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Breaks the connection, so that the session can be resumed. */
    public void disconnect() {
        requests.onError(new InterruptedException("the connection broke"));
    }

    /** A slot group of a worker, without slots. */
    public static SlotGroup.Builder group(String name, String... tags) {
        return SlotGroup.newBuilder().setName(name).addAllTags(List.of(tags));
    }

    /** The next lease if one has come. */
    public Optional<Lease> poll() {
        return Optional.ofNullable(leases.poll());
    }

    /** Waits for the next lease of this worker. */
    public Lease take() throws InterruptedException {
        Lease lease = leases.poll(60, TimeUnit.SECONDS);
        if (lease == null) {
            throw new AssertionError("no job was leased in time");
        }
        return lease;
    }

    public void started(Lease lease) {
        Started started = Started.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .build();
        send(OpenSessionRequest.newBuilder().setStarted(StartedJobs.newBuilder().addJobs(started)));
    }

    /** Tells which processes the worker has. */
    public void report(ProcessReport processes) {
        send(OpenSessionRequest.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setSequence(1).setProcesses(processes)));
    }

    /** Waits until the scheduler has answered a heartbeat, which it does after it has noted the report. */
    public Heartbeat answer() throws InterruptedException {
        Heartbeat answer = answers.poll(60, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no heartbeat was answered in time");
        }
        return answer;
    }

    public void print(Lease lease, long sequence, String text) {
        log(lease, LogChunk.Stream.STREAM_STDOUT, sequence, text);
    }

    public void log(Lease lease, LogChunk.Stream stream, long sequence, String text) {
        WorkerLog log = WorkerLog.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setSequence(sequence)
                .setStream(stream)
                .setText(text)
                .build();
        send(OpenSessionRequest.newBuilder()
                .setLogs(WorkerLogs.newBuilder().setBatch(++batch).addLogs(log)));
    }

    public void succeed(Lease lease, String result) {
        JobResult ended = JobResult.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setResult(com.google.protobuf.ByteString.copyFromUtf8(result))
                .setRunDuration(com.google.protobuf.Duration.newBuilder().setNanos(1_000_000))
                .build();
        send(OpenSessionRequest.newBuilder().setResults(Results.newBuilder().addResults(ended)));
    }

    /** Fails the attempt in a way after which a retry may help. */
    public void fail(Lease lease, String name, String message) {
        JobResult failed = JobResult.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setError(
                        JobError.newBuilder().setName(name).setMessage(message).setRetryable(true))
                .build();
        send(OpenSessionRequest.newBuilder().setResults(Results.newBuilder().addResults(failed)));
    }

    /** Gives the job back unexecuted, like a worker that is about to stop. */
    public void giveBack(Lease lease) {
        JobResult returned = JobResult.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setReturned(ReturnedJob.newBuilder().setReason("The test wants to see it again."))
                .build();
        send(OpenSessionRequest.newBuilder().setResults(Results.newBuilder().addResults(returned)));
    }

    @Override
    public void onNext(OpenSessionResponse response) {
        if (response.hasWelcome()) {
            welcome.complete(response.getWelcome());
        }
        if (response.hasHeartbeat() && response.getHeartbeat().getSequence() > 0) {
            answers.add(response.getHeartbeat());
        }
        if (response.hasKill()) {
            killed.complete(response.getKill());
        }
        leases.addAll(response.getLeases().getLeasesList());
    }

    @Override
    public void onError(Throwable failure) {
        welcome.completeExceptionally(failure);
        failed.complete(failure);
    }

    @Override
    public void onCompleted() {}

    @Override
    public void close() {
        send(OpenSessionRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        requests.onCompleted();
    }

    private synchronized void send(OpenSessionRequest.Builder request) {
        requests.onNext(request.build());
    }
}
