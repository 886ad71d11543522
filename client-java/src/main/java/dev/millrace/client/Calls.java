package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.ListLogsResponse;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.CancelBulkOperationResponse;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.CancelRunResponse;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationResponse;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsResponse;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PauseRunResponse;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RerunRunResponse;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.RestartRunResponse;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunResponse;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.operation.v1.RetryRunResponse;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.SkipStepResponse;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.operation.v1.StartBulkOperationResponse;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.ListIterationsRequest;
import dev.millrace.proto.run.v1.ListIterationsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.SubmitRunsResponse;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.AnswerWaitResponse;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksResponse;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsResponse;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SendSignalResponse;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the calls of both clients: the requests, and how to read the answers. */
final class Calls {
    private static final int PAGE_SIZE = 200;

    /** Longest time to wait within the call that starts a run; after that a client follows the run. */
    private static final Duration FIRST_WAIT = Duration.ofSeconds(30);

    private final String workspace;
    private final Json json;

    Calls(String workspace, Json json) {
        this.workspace = requireNonNull(workspace, "workspace");
        this.json = requireNonNull(json, "json");
    }

    /** A run that was accepted, and the result that its flow returned to the waiting caller before the end, if it did. */
    record Submitted(Run run, Optional<ByteString> early) {}

    String workspace() {
        return workspace;
    }

    Json json() {
        return json;
    }

    /** Time to wait within the call that starts a run, if its end is awaited at most this long. */
    static Duration firstWait(Optional<Duration> limit) {
        return limit.filter(time -> time.compareTo(FIRST_WAIT) < 0).orElse(FIRST_WAIT);
    }

    /** A submission that waits for the end of the run; zero does not wait. */
    Call<SubmitRunRequest, SubmitRunResponse, Submitted> submitRun(RunSpec spec, Duration wait) {
        SubmitRunRequest.Builder request = SubmitRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRequestId(spec.options().requestId().orElseGet(Calls::newRequestId))
                .setSpec(spec(spec));
        if (!wait.isZero()) {
            request.setWait(Times.message(wait));
        }
        return new Call<>(RunServiceGrpc.getSubmitRunMethod(), request.build(), this::submitted, wait);
    }

    private Submitted submitted(SubmitRunResponse answer) {
        return new Submitted(
                run(answer.getRun()),
                answer.hasEarlyReturn() ? Optional.of(answer.getEarlyReturn().getResult()) : Optional.empty());
    }

    Call<SubmitRunsRequest, SubmitRunsResponse, List<String>> submitRuns(
            List<RunSpec> specs, Optional<String> requestId) {
        SubmitRunsRequest request = SubmitRunsRequest.newBuilder()
                .setWorkspace(workspace)
                .setRequestId(requestId.orElseGet(Calls::newRequestId))
                .addAllSpecs(specs.stream().map(this::spec).toList())
                .build();
        return new Call<>(RunServiceGrpc.getSubmitRunsMethod(), request, answer -> List.copyOf(answer.getRunIdsList()));
    }

    Call<GetRunRequest, GetRunResponse, Run> getRun(String runId) {
        GetRunRequest request = GetRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .build();
        return new Call<>(RunServiceGrpc.getGetRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<ListRunsRequest, ListRunsResponse, Page<Run>> listRuns(RunFilter filter, String pageToken) {
        ListRunsRequest request = filter.request()
                .setWorkspace(workspace)
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken)
                .build();
        return new Call<>(
                RunServiceGrpc.getListRunsMethod(),
                request,
                answer ->
                        new Page<>(answer.getRunsList().stream().map(this::run).toList(), answer.getNextPageToken()));
    }

    Call<ListStepsRequest, ListStepsResponse, Page<Step>> listSteps(String runId, StepFilter wanted, String pageToken) {
        ListStepsRequest request = ListStepsRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setIncludePayloads(wanted.withPayloads())
                .setFoldLoops(wanted.foldsLoops())
                .setIteration(wanted.iteration())
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken)
                .build();
        return new Call<>(
                RunServiceGrpc.getListStepsMethod(),
                request,
                answer -> new Page<>(
                        answer.getStepsList().stream()
                                .map(step -> new Step(step, json))
                                .toList(),
                        answer.getNextPageToken()));
    }

    Call<ListIterationsRequest, ListIterationsResponse, Page<Iteration>> listIterations(
            String runId, String loop, Set<StepState> states, int from, String pageToken) {
        ListIterationsRequest.Builder request = ListIterationsRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setLoop(loop)
                .setFromNumber(from)
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken);
        states.forEach(state -> request.addStates(Messages.state(state)));
        return new Call<>(
                RunServiceGrpc.getListIterationsMethod(),
                request.build(),
                answer -> new Page<>(
                        answer.getIterationsList().stream().map(Iteration::of).toList(), answer.getNextPageToken()));
    }

    Call<ListLogsRequest, ListLogsResponse, Page<LogChunk>> listLogs(String runId, String jobId, String pageToken) {
        ListLogsRequest request = ListLogsRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setJobId(jobId)
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken)
                .build();
        return new Call<>(
                LogServiceGrpc.getListLogsMethod(),
                request,
                answer -> new Page<>(
                        answer.getChunksList().stream().map(LogChunk::of).toList(), answer.getNextPageToken()));
    }

    Call<ListWaitsRequest, ListWaitsResponse, Page<Wait>> listWaits(String runId, String pageToken) {
        ListWaitsRequest request = ListWaitsRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken)
                .build();
        return new Call<>(
                SignalServiceGrpc.getListWaitsMethod(),
                request,
                answer -> new Page<>(
                        answer.getWaitsList().stream()
                                .map(wait -> new Wait(wait, json))
                                .toList(),
                        answer.getNextPageToken()));
    }

    /** As {@link RunWatch}. */
    Call<WatchRunRequest, WatchRunResponse, Optional<RunEvent>> watchRun(
            String runId, FollowOptions wanted, long afterPosition) {
        WatchRunRequest request = WatchRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setIncludeLogs(wanted.withLogs())
                .setFoldLoops(wanted.foldsLoops())
                .setLogsAfterPosition(afterPosition)
                .build();
        return new Call<>(RunServiceGrpc.getWatchRunMethod(), request, this::event);
    }

    private Optional<RunEvent> event(WatchRunResponse answer) {
        return switch (answer.getEventCase()) {
            case RUN -> Optional.of(run(answer.getRun()));
            case STEP -> Optional.of(new Step(answer.getStep(), json));
            case LOG -> Optional.of(LogChunk.of(answer.getLog()));
            case EVENT_NOT_SET -> Optional.empty();
        };
    }

    Call<CancelRunRequest, CancelRunResponse, Run> cancelRun(String runId, Note note) {
        CancelRunRequest request = CancelRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getCancelRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<PauseRunRequest, PauseRunResponse, Run> pauseRun(String runId, Note note) {
        PauseRunRequest request = PauseRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getPauseRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<ResumeRunRequest, ResumeRunResponse, Run> resumeRun(String runId, Note note) {
        ResumeRunRequest request = ResumeRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getResumeRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<RetryRunRequest, RetryRunResponse, Run> retryRun(String runId, Note note) {
        RetryRunRequest request = RetryRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getRetryRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<RestartRunRequest, RestartRunResponse, Run> restartRun(String runId, @Nullable Object input, Note note) {
        RestartRunRequest request = RestartRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setInput(json.writeObject(input, "input"))
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getRestartRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<RerunRunRequest, RerunRunResponse, Run> rerunRun(String runId, Rerun rerun, Note note) {
        RerunRunRequest request = RerunRunRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setStep(rerun.step())
                .setInput(json.writeObject(rerun.input(), "input"))
                .setFlowHash(rerun.flowHash().orElse(""))
                .setStepInput(json.writeObject(rerun.stepInput(), "stepInput"))
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getRerunRunMethod(), request, answer -> run(answer.getRun()));
    }

    Call<StartBulkOperationRequest, StartBulkOperationResponse, BulkOperation> rerunAll(
            RunSelection runs, Rerun rerun, Note note) {
        if (rerun.input() != null) {
            throw new IllegalArgumentException(
                    "Many runs cannot share an input: give the step an input, or rerun each of them.");
        }
        return startBulk(
                runs.request()
                        .setOperation(OperationKind.OPERATION_KIND_RERUN)
                        .setStep(rerun.step())
                        .setFlowHash(rerun.flowHash().orElse(""))
                        .setStepInput(json.writeObject(rerun.stepInput(), "stepInput")),
                note);
    }

    Call<StartBulkOperationRequest, StartBulkOperationResponse, BulkOperation> cancelAll(RunSelection runs, Note note) {
        return startBulk(runs.request().setOperation(OperationKind.OPERATION_KIND_CANCEL), note);
    }

    private Call<StartBulkOperationRequest, StartBulkOperationResponse, BulkOperation> startBulk(
            StartBulkOperationRequest.Builder request, Note note) {
        return new Call<>(
                BulkOperationServiceGrpc.getStartBulkOperationMethod(),
                request.setWorkspace(workspace).setNote(note(note)).build(),
                answer -> new BulkOperation(answer.getBulkOperation()));
    }

    Call<GetBulkOperationRequest, GetBulkOperationResponse, BulkOperation> getBulk(String bulkId) {
        GetBulkOperationRequest request = GetBulkOperationRequest.newBuilder()
                .setWorkspace(workspace)
                .setBulkOperationId(bulkId)
                .build();
        return new Call<>(
                BulkOperationServiceGrpc.getGetBulkOperationMethod(),
                request,
                answer -> new BulkOperation(answer.getBulkOperation()));
    }

    Call<ListBulkOperationRunsRequest, ListBulkOperationRunsResponse, Page<BulkRun>> listBulkRuns(
            String bulkId, String pageToken) {
        ListBulkOperationRunsRequest request = ListBulkOperationRunsRequest.newBuilder()
                .setWorkspace(workspace)
                .setBulkOperationId(bulkId)
                .setPageSize(PAGE_SIZE)
                .setPageToken(pageToken)
                .build();
        return new Call<>(
                BulkOperationServiceGrpc.getListBulkOperationRunsMethod(),
                request,
                answer -> new Page<>(
                        answer.getRunsList().stream().map(BulkRun::new).toList(), answer.getNextPageToken()));
    }

    Call<CancelBulkOperationRequest, CancelBulkOperationResponse, BulkOperation> stopBulk(String bulkId, Note note) {
        CancelBulkOperationRequest request = CancelBulkOperationRequest.newBuilder()
                .setWorkspace(workspace)
                .setBulkOperationId(bulkId)
                .setNote(note(note))
                .build();
        return new Call<>(
                BulkOperationServiceGrpc.getCancelBulkOperationMethod(),
                request,
                answer -> new BulkOperation(answer.getBulkOperation()));
    }

    Call<SkipStepRequest, SkipStepResponse, Run> skipStep(
            String runId, String step, @Nullable Object result, Note note) {
        SkipStepRequest request = SkipStepRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setStep(step)
                .setResult(json.write(result, "result"))
                .setNote(note(note))
                .build();
        return new Call<>(OperationServiceGrpc.getSkipStepMethod(), request, answer -> run(answer.getRun()));
    }

    Call<SendSignalRequest, SendSignalResponse, String> sendSignal(
            String runId, String name, @Nullable Object payload, Note note) {
        OperationNote who = note(note);
        SendSignalRequest request = SendSignalRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setName(name)
                .setPayload(json.write(payload, "payload"))
                .setActor(who.getActor())
                .setRequestId(who.getRequestId())
                .build();
        return new Call<>(SignalServiceGrpc.getSendSignalMethod(), request, SendSignalResponse::getStep);
    }

    Call<AnswerWaitRequest, AnswerWaitResponse, String> answerWait(
            String runId, String step, Answer answer, @Nullable Object payload, Note note) {
        OperationNote who = note(note);
        AnswerWaitRequest request = AnswerWaitRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setStep(step)
                .setAnswer(answer)
                .setPayload(json.write(payload, "payload"))
                .setActor(who.getActor())
                .setRequestId(who.getRequestId())
                .build();
        return new Call<>(SignalServiceGrpc.getAnswerWaitMethod(), request, AnswerWaitResponse::getStep);
    }

    Call<CreateWaitLinksRequest, CreateWaitLinksResponse, List<WaitLink>> createWaitLinks(
            String runId, String step, List<String> actors, Optional<Duration> validFor) {
        CreateWaitLinksRequest.Builder request = CreateWaitLinksRequest.newBuilder()
                .setWorkspace(workspace)
                .setRunId(runId)
                .setStep(step)
                .addAllActors(actors);
        validFor.ifPresent(time -> request.setValidFor(Times.message(time)));
        return new Call<>(
                SignalServiceGrpc.getCreateWaitLinksMethod(),
                request.build(),
                answer -> answer.getWaitLinksList().stream().map(WaitLink::of).toList());
    }

    Call<DeployScriptRequest, DeployScriptResponse, Deployed> deployScript(String path, String content) {
        DeployScriptRequest request = DeployScriptRequest.newBuilder()
                .setWorkspace(workspace)
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
        return new Call<>(
                ScriptServiceGrpc.getDeployScriptMethod(),
                request,
                answer -> new Deployed(
                        answer.getScript().getPath(), answer.getScript().getHash(), List.of()));
    }

    /** Asks which scripts a definition names. */
    Call<ValidateFlowRequest, ValidateFlowResponse, List<String>> scriptPaths(FlowSource flow) {
        ValidateFlowRequest request = ValidateFlowRequest.newBuilder()
                .setWorkspace(workspace)
                .setFileName(flow.fileName())
                .setDefinition(ByteString.copyFromUtf8(flow.definition()))
                .build();
        return new Call<>(
                FlowServiceGrpc.getValidateFlowMethod(), request, answer -> List.copyOf(answer.getScriptPathsList()));
    }

    Call<DeployFlowRequest, DeployFlowResponse, Deployed> deployFlow(FlowSource flow) {
        DeployFlowRequest request = DeployFlowRequest.newBuilder()
                .setWorkspace(workspace)
                .setPath(flow.path())
                .setFileName(flow.fileName())
                .setDefinition(ByteString.copyFromUtf8(flow.definition()))
                .addAllFiles(flow.files().entrySet().stream()
                        .map(file -> FlowFile.newBuilder()
                                .setPath(file.getKey())
                                .setContent(ByteString.copyFromUtf8(file.getValue()))
                                .build())
                        .toList())
                .build();
        return new Call<>(FlowServiceGrpc.getDeployFlowMethod(), request, Calls::deployed);
    }

    private static Deployed deployed(DeployFlowResponse answer) {
        return new Deployed(
                answer.getFlow().getPath(),
                answer.getFlow().getHash(),
                answer.getWarningsList().stream()
                        .map(it -> ("line " + it.getLine() + ": " + it.getMessage() + " " + it.getRemedy()).strip())
                        .toList());
    }

    private dev.millrace.proto.run.v1.RunSpec spec(RunSpec spec) {
        return spec.options()
                .spec(json)
                .setTarget(Messages.target(spec.target()))
                .setInput(json.writeObject(spec.input(), "input"))
                .build();
    }

    private Run run(dev.millrace.proto.run.v1.Run message) {
        return new Run(message, json);
    }

    private static OperationNote note(Note note) {
        return OperationNote.newBuilder()
                .setActor(note.actor())
                .setReason(note.reason())
                .setRequestId(note.requestId().orElseGet(Calls::newRequestId))
                .build();
    }

    private static String newRequestId() {
        return UUID.randomUUID().toString();
    }
}
