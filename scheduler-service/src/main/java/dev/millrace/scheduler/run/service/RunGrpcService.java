package dev.millrace.scheduler.run.service;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.ListIterationsRequest;
import dev.millrace.proto.run.v1.ListIterationsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.RunCount;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunBatchesRequest;
import dev.millrace.proto.run.v1.SubmitRunBatchesResponse;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.SubmitRunsResponse;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.log.LogReader;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunProtos;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.search.RunPage;
import dev.millrace.scheduler.run.search.RunSearch;
import dev.millrace.scheduler.run.search.RunSearches;
import dev.millrace.scheduler.run.search.SearchReader;
import dev.millrace.scheduler.run.step.FoldedSteps;
import dev.millrace.scheduler.run.step.IterationPage;
import dev.millrace.scheduler.run.step.Step;
import dev.millrace.scheduler.run.step.StepFolding;
import dev.millrace.scheduler.run.step.StepProtos;
import dev.millrace.scheduler.run.step.StepState;
import dev.millrace.scheduler.run.step.Steps;
import dev.millrace.scheduler.submission.PreparedSubmission;
import dev.millrace.scheduler.submission.SubmissionStream;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.text.Durations;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves runs over gRPC. */
public final class RunGrpcService extends RunServiceGrpc.RunServiceImplBase {
    private static final Duration WAIT_MAX = Duration.ofMinutes(5);

    private final Submissions submissions;
    private final SubmitAndWait answers;
    private final Runs runs;
    private final Steps steps;
    private final RunSearches searches;
    private final LogReader logs;
    private final RunEvents events;
    private final Followers followers;

    public RunGrpcService(
            Submissions submissions,
            Runs runs,
            Steps steps,
            RunSearches searches,
            LogReader logs,
            RunEvents events,
            Followers followers) {
        this.submissions = submissions;
        this.answers = new SubmitAndWait(submissions, runs, steps, events);
        this.runs = runs;
        this.steps = steps;
        this.searches = searches;
        this.logs = logs;
        this.events = events;
        this.followers = followers;
    }

    @Override
    public void submitRun(SubmitRunRequest request, StreamObserver<SubmitRunResponse> observer) {
        Duration wait = wait(request);
        PreparedSubmission submission = submissions.one(
                Access.current(),
                RequestFields.workspace(request.getWorkspace()),
                request.getRequestId(),
                request.getSpec());
        RunAnswer answer =
                wait.isZero() ? RunAnswer.of(answers.submit(submission)) : answers.submitAndWait(submission, wait);
        Unary.answer(observer, answer(answer));
    }

    @Override
    public void submitRuns(SubmitRunsRequest request, StreamObserver<SubmitRunsResponse> observer) {
        PreparedSubmission submission = submissions.many(
                Access.current(),
                RequestFields.workspace(request.getWorkspace()),
                request.getRequestId(),
                request.getSpecsList());
        List<RunId> accepted = submissions.submit(submission).runs();
        Unary.answer(
                observer,
                SubmitRunsResponse.newBuilder()
                        .addAllRunIds(accepted.stream().map(RunId::toString).toList())
                        .build());
    }

    @Override
    public StreamObserver<SubmitRunBatchesRequest> submitRunBatches(StreamObserver<SubmitRunBatchesResponse> observer) {
        return SubmissionStream.open(submissions, observer);
    }

    @Override
    public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> observer) {
        Run run = runs.load(RequestFields.run(request.getWorkspace(), request.getRunId()));
        var message = RunProtos.run(run).toBuilder();
        if (run.state() == RunState.RUNNING && run.kind() != JobKind.FLOW) {
            RunProtos.bytes(Optional.ofNullable(
                            steps.progress(run.id()).get(run.id().rootJob())))
                    .ifPresent(message::setProgress);
        }
        Unary.answer(observer, GetRunResponse.newBuilder().setRun(message).build());
    }

    @Override
    public void listRuns(ListRunsRequest request, StreamObserver<ListRunsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        RunSearch search = SearchReader.read(request, Access.current().visibleFolders(workspace));
        var message = page(searches.list(workspace, search, page));
        if (request.getIncludeCount()) {
            searches.count(workspace, search)
                    .map(count -> RunCount.newBuilder().setRuns(count.runs()).setCapped(count.isCapped()))
                    .ifPresent(message::setCount);
        }
        Unary.answer(observer, message.build());
    }

    @Override
    public void listSteps(ListStepsRequest request, StreamObserver<ListStepsResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        boolean payloads = request.getIncludePayloads();
        StepFolding folding = StepFolding.of(request.getFoldLoops(), request.getIteration());
        RunId id = runs.resolve(run);
        FoldedSteps found = request.getStep().isEmpty()
                ? steps.list(new RunRef(run.workspace(), id), folding, page, payloads)
                : new FoldedSteps(new PageRequest.Page<>(steps.find(id, request.getStep(), payloads), ""), Map.of());
        List<Step> items = found.page().items();
        boolean isLive = items.stream().anyMatch(step -> step.state() == StepState.RUNNING);
        Map<JobId, Json> progress = isLive ? steps.progress(run.id()) : Map.of();
        Unary.answer(
                observer,
                ListStepsResponse.newBuilder()
                        .addAllSteps(items.stream()
                                .map(step -> StepProtos.folded(
                                        StepProtos.step(step, Optional.ofNullable(progress.get(step.id()))),
                                        Optional.ofNullable(found.loops().get(step.key()))))
                                .toList())
                        .setNextPageToken(found.page().nextToken())
                        .build());
    }

    @Override
    public void listIterations(ListIterationsRequest request, StreamObserver<ListIterationsResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        RunRef known = new RunRef(run.workspace(), runs.resolve(run));
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        IterationPage found = steps.iterations(known, IterationReader.read(request), page);
        Unary.answer(
                observer,
                ListIterationsResponse.newBuilder()
                        .addAllIterations(found.page().items().stream()
                                .map(StepProtos::iteration)
                                .toList())
                        .setNextPageToken(found.page().nextToken())
                        .setCounts(StepProtos.counts(found.counts()))
                        .build());
    }

    @Override
    public void watchRun(WatchRunRequest request, StreamObserver<WatchRunResponse> observer) {
        RunRef run = RequestFields.run(request.getWorkspace(), request.getRunId());
        followers.start(
                observer,
                stream -> new RunWatch(runs, steps, logs, events, run, RunWatch.Wanted.of(request), stream).follow());
    }

    private static ListRunsResponse.Builder page(RunPage page) {
        var message = ListRunsResponse.newBuilder()
                .addAllRuns(page.runs().stream().map(RunProtos::run).toList())
                .setNextPageToken(page.nextToken());
        page.searchedBackTo().map(TimeProtos::timestamp).ifPresent(message::setSearchedBackTo);
        return message;
    }

    private static SubmitRunResponse answer(RunAnswer answer) {
        var message = SubmitRunResponse.newBuilder().setRun(RunProtos.run(answer.run()));
        answer.early()
                .ifPresent(early -> message.setEarlyReturn(dev.millrace.proto.run.v1.EarlyReturn.newBuilder()
                        .setStep(early.stepKey())
                        .setResult(ByteString.copyFromUtf8(early.result().text()))));
        return message.build();
    }

    private static Duration wait(SubmitRunRequest request) {
        Violations violations = new Violations();
        Duration wait = violations
                .collect("wait", () -> TimeProtos.duration(request.getWait()))
                .orElse(Duration.ZERO);
        violations.require(
                !wait.isNegative() && wait.compareTo(WAIT_MAX) <= 0,
                "wait",
                Durations.text(wait) + " (expected: 0s to " + Durations.text(WAIT_MAX) + ")");
        violations.throwIfAny();
        return wait;
    }
}
