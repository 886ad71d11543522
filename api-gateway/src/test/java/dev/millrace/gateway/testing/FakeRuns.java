package dev.millrace.gateway.testing;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.SubmitRunsResponse;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs that end at once if a caller waits for them: the output is the input. Tests write to watchers themselves. */
public final class FakeRuns extends RunServiceGrpc.RunServiceImplBase {

    /** A run that nobody submitted, for streams. */
    public static final Run RUN = run(
            "run-1",
            RunSpec.newBuilder()
                    .setTarget(RunTarget.newBuilder().setScriptPath("hello.py"))
                    .build(),
            false);

    /** 2026-01-31T08:00:00Z. */
    private static final long SEARCHED_BACK_TO = 1_769_846_400L;

    /** The last submission, as it arrived. */
    public volatile RunSpec lastSpec = RunSpec.getDefaultInstance();

    /** Answer to every submission, unless null. */
    public volatile @Nullable RuntimeException refusal;

    /** If set, waiting submissions are never answered. */
    public volatile boolean waitForever;

    /** Counts down when a call without an answer has arrived. */
    public final CountDownLatch waitBegun = new CountDownLatch(1);

    /** Counts down when a call without an answer is canceled. */
    public final CountDownLatch waitCanceled = new CountDownLatch(1);

    public volatile WatchRunRequest lastWatch = WatchRunRequest.getDefaultInstance();

    /** Streams opened by WatchRun, for the test to write to. */
    public final BlockingQueue<ServerCallStreamObserver<WatchRunResponse>> watchers = new LinkedBlockingQueue<>();

    public volatile ListRunsRequest lastList = ListRunsRequest.getDefaultInstance();

    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final Map<String, String> idsByRequest = new ConcurrentHashMap<>();
    private final AtomicInteger sequence = new AtomicInteger();

    @Override
    public void submitRun(SubmitRunRequest request, StreamObserver<SubmitRunResponse> answer) {
        lastSpec = request.getSpec();
        var refused = refusal;
        if (refused != null) {
            answer.onError(refused);
            return;
        }
        if (request.hasWait() && waitForever) {
            Context.current().addListener(_ -> waitCanceled.countDown(), Runnable::run);
            waitBegun.countDown();
            return;
        }
        var id = request.getRequestId().isEmpty()
                ? nextId()
                : idsByRequest.computeIfAbsent(request.getRequestId(), _ -> nextId());
        var run = runs.computeIfAbsent(id, _ -> run(id, request.getSpec(), request.hasWait()));
        answer.onNext(SubmitRunResponse.newBuilder().setRun(run).build());
        answer.onCompleted();
    }

    @Override
    public void submitRuns(SubmitRunsRequest request, StreamObserver<SubmitRunsResponse> answer) {
        var response = SubmitRunsResponse.newBuilder();
        for (var spec : request.getSpecsList()) {
            lastSpec = spec;
            var id = nextId();
            runs.put(id, run(id, spec, false));
            response.addRunIds(id);
        }
        answer.onNext(response.build());
        answer.onCompleted();
    }

    @Override
    public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> answer) {
        var run = runs.get(request.getRunId());
        if (run == null) {
            answer.onError(Refusals.notFound("run", request.getRunId()));
            return;
        }
        answer.onNext(GetRunResponse.newBuilder().setRun(run).build());
        answer.onCompleted();
    }

    @Override
    public void listRuns(ListRunsRequest request, StreamObserver<ListRunsResponse> answer) {
        lastList = request;
        var response = ListRunsResponse.newBuilder().setNextPageToken("next");
        if (request.getInputCount() > 0) {
            response.getSearchedBackToBuilder().setSeconds(SEARCHED_BACK_TO);
        }
        runs.values().stream()
                .map(run -> run.toBuilder().clearInput().clearOutput().build())
                .forEach(response::addRuns);
        answer.onNext(response.build());
        answer.onCompleted();
    }

    @Override
    public void listSteps(ListStepsRequest request, StreamObserver<ListStepsResponse> answer) {
        var step = Step.newBuilder()
                .setJobId("job-1")
                .setKey("count[3]")
                .setKind(Step.Kind.KIND_FOR_EACH)
                .setState(Step.State.STATE_FAILED)
                .setAttempt(2)
                .setError(JobError.newBuilder()
                        .setName("ValueError")
                        .setMessage("No.")
                        .setRetryable(true))
                .setWaitDuration(Duration.newBuilder().setNanos(12_000_000))
                .setRunDuration(Duration.newBuilder().setSeconds(3))
                .setWorker("w1");
        if (request.getIncludePayloads()) {
            var run = runs.get(request.getRunId());
            step.setInput(run == null ? com.google.protobuf.ByteString.EMPTY : run.getInput());
        }
        answer.onNext(ListStepsResponse.newBuilder().addSteps(step).build());
        answer.onCompleted();
    }

    @Override
    public void watchRun(WatchRunRequest request, StreamObserver<WatchRunResponse> answer) {
        if (!runs.containsKey(request.getRunId())) {
            answer.onError(Refusals.notFound("run", request.getRunId()));
            return;
        }
        var observer = (ServerCallStreamObserver<WatchRunResponse>) answer;
        observer.setOnCancelHandler(() -> {});
        lastWatch = request;
        watchers.add(observer);
    }

    /** The run after it was canceled; the answer of the scheduler if it cannot be. */
    Run cancel(String id, String reason) {
        var run = runs.get(id);
        if (run == null) {
            throw Refusals.notFound("run", id);
        }
        if (run.hasEndTime()) {
            throw Refusals.of(Code.FAILED_PRECONDITION, "RUN_ENDED", "The run has ended.");
        }
        var canceled = run.toBuilder()
                .setState(Run.State.STATE_CANCELED)
                .setError(JobError.newBuilder().setName("Canceled").setMessage(reason))
                .setEndTime(Timestamp.newBuilder().setSeconds(1_700_000_002))
                .build();
        runs.put(id, canceled);
        return canceled;
    }

    private String nextId() {
        return "run-" + sequence.incrementAndGet();
    }

    static Run run(String id, RunSpec spec, boolean ended) {
        var run = Run.newBuilder()
                .setId(id)
                .setWorkspace("default")
                .setTarget(spec.getTarget())
                .setName("hello")
                .setState(Run.State.STATE_QUEUED)
                .setInput(spec.getInput())
                .setCreateTime(Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(5_000_000));
        if (ended) {
            run.setState(Run.State.STATE_SUCCEEDED)
                    .setOutput(spec.getInput())
                    .setEndTime(Timestamp.newBuilder().setSeconds(1_700_000_001));
        }
        return run.build();
    }
}
