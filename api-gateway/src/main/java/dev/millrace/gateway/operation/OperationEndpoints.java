package dev.millrace.gateway.operation;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.RunJson;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.CancelRunResponse;
import dev.millrace.proto.operation.v1.ListPinnedRunsRequest;
import dev.millrace.proto.operation.v1.ListRunHistoryRequest;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PauseRunResponse;
import dev.millrace.proto.operation.v1.PinRunRequest;
import dev.millrace.proto.operation.v1.PinRunResponse;
import dev.millrace.proto.operation.v1.PinServiceGrpc;
import dev.millrace.proto.operation.v1.PinnedRun;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunResponse;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.operation.v1.RetryRunResponse;
import dev.millrace.proto.operation.v1.RunHistoryEntry;
import dev.millrace.proto.operation.v1.RunOperation;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.UnpinRunRequest;
import dev.millrace.proto.operation.v1.UnpinRunResponse;
import dev.millrace.proto.run.v1.Run;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Endpoints for operations on one run, and for the record of them. */
public final class OperationEndpoints {

    private static final String RUNS = "/api/v1/runs";
    private static final String RUN = RUNS + "/{id}";

    private static final JsonFields<OperationNote.Builder> NOTE = new JsonFields<OperationNote.Builder>()
            .field("reason", (json, note) -> note.setReason(json.text()))
            .field("actor", (json, note) -> note.setActor(json.text()));

    private static final JsonFields<RestartRunRequest.Builder> RESTART = new JsonFields<RestartRunRequest.Builder>()
            .field("input", (json, restart) -> restart.setInput(json.rawObject()))
            .field("reason", (json, restart) -> restart.getNoteBuilder().setReason(json.text()))
            .field("actor", (json, restart) -> restart.getNoteBuilder().setActor(json.text()));

    private static final JsonFields<RerunRunRequest.Builder> RERUN = new JsonFields<RerunRunRequest.Builder>()
            .field("step", (json, rerun) -> rerun.setStep(json.text()))
            .field("input", (json, rerun) -> rerun.setInput(json.rawObject()))
            .field("flow_hash", (json, rerun) -> rerun.setFlowHash(json.text()))
            .field("step_input", (json, rerun) -> rerun.setStepInput(json.rawObject()))
            .field("reason", (json, rerun) -> rerun.getNoteBuilder().setReason(json.text()))
            .field("actor", (json, rerun) -> rerun.getNoteBuilder().setActor(json.text()));

    private static final JsonFields<SkipStepRequest.Builder> SKIP = new JsonFields<SkipStepRequest.Builder>()
            .field("step", (json, skip) -> skip.setStep(json.text()))
            .field("result", (json, skip) -> skip.setResult(json.raw()))
            .field("reason", (json, skip) -> skip.getNoteBuilder().setReason(json.text()))
            .field("actor", (json, skip) -> skip.getNoteBuilder().setActor(json.text()));

    private final Scheduler scheduler;

    public OperationEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                noted(
                        "cancel",
                        OperationServiceGrpc.getCancelRunMethod(),
                        (run, note) -> CancelRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        CancelRunResponse::getRun),
                noted(
                        "pause",
                        OperationServiceGrpc.getPauseRunMethod(),
                        (run, note) -> PauseRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        PauseRunResponse::getRun),
                noted(
                        "resume",
                        OperationServiceGrpc.getResumeRunMethod(),
                        (run, note) -> ResumeRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        ResumeRunResponse::getRun),
                noted(
                        "retry",
                        OperationServiceGrpc.getRetryRunMethod(),
                        (run, note) -> RetryRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        RetryRunResponse::getRun),
                noted(
                        "pin",
                        PinServiceGrpc.getPinRunMethod(),
                        (run, note) -> PinRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        PinRunResponse::getRun),
                noted(
                        "unpin",
                        PinServiceGrpc.getUnpinRunMethod(),
                        (run, note) -> UnpinRunRequest.newBuilder()
                                .setRunId(run)
                                .setNote(note)
                                .build(),
                        UnpinRunResponse::getRun),
                Endpoint.get("/api/v1/pinned-runs", Set.of("page_size", "page_token"), this::listPinned),
                Endpoint.post(RUN + ":restart", Set.of(), this::restart),
                Endpoint.post(RUN + ":rerun", Set.of(), this::rerun),
                Endpoint.post(RUN + ":skip", Set.of(), this::skip),
                Endpoint.get(RUN + "/operations", Set.of("page_size", "page_token"), this::list),
                Endpoint.get(RUN + "/history", Set.of("page_size", "page_token"), this::history));
    }

    /** Endpoint of an operation whose body has only reason and actor, and which answers with the run. */
    private <Q, A> Endpoint noted(
            String verb,
            MethodDescriptor<Q, A> method,
            BiFunction<String, OperationNote, Q> message,
            Function<A, Run> run) {
        return Endpoint.post(RUN + ":" + verb, Set.of(), request -> {
            var note = request.optionalJson(NOTE, OperationNote.newBuilder())
                    .setRequestId(request.idempotencyKey())
                    .build();
            return scheduler
                    .call(request.context(), method, message.apply(request.path("id"), note))
                    .thenApply(answer -> Answers.json(json -> RunJson.run(json, run.apply(answer))));
        });
    }

    private CompletionStage<HttpResponse> restart(ApiRequest request) {
        var restart =
                request.optionalJson(RESTART, RestartRunRequest.newBuilder()).setRunId(request.path("id"));
        restart.getNoteBuilder().setRequestId(request.idempotencyKey());
        return scheduler
                .call(request.context(), OperationServiceGrpc.getRestartRunMethod(), restart.build())
                .thenApply(answer -> begun(answer.getRun()));
    }

    private CompletionStage<HttpResponse> rerun(ApiRequest request) {
        var rerun = request.json(RERUN, RerunRunRequest.newBuilder()).setRunId(request.path("id"));
        rerun.getNoteBuilder().setRequestId(request.idempotencyKey());
        return scheduler
                .call(request.context(), OperationServiceGrpc.getRerunRunMethod(), rerun.build())
                .thenApply(answer -> begun(answer.getRun()));
    }

    private CompletionStage<HttpResponse> skip(ApiRequest request) {
        var skip = request.json(SKIP, SkipStepRequest.newBuilder()).setRunId(request.path("id"));
        skip.getNoteBuilder().setRequestId(request.idempotencyKey());
        return scheduler
                .call(request.context(), OperationServiceGrpc.getSkipStepMethod(), skip.build())
                .thenApply(answer -> Answers.json(json -> RunJson.run(json, answer.getRun())));
    }

    private static HttpResponse begun(Run run) {
        return Answers.located(HttpStatus.ACCEPTED, RUNS + "/" + run.getId(), json -> RunJson.run(json, run));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListRunOperationsRequest.newBuilder()
                .setRunId(request.path("id"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), OperationServiceGrpc.getListRunOperationsMethod(), list)
                .thenApply(answer ->
                        Answers.page(answer.getOperationsList(), answer.getNextPageToken(), OperationEndpoints::write));
    }

    private CompletionStage<HttpResponse> history(ApiRequest request) {
        var list = ListRunHistoryRequest.newBuilder()
                .setRunId(request.path("id"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), OperationServiceGrpc.getListRunHistoryMethod(), list)
                .thenApply(answer ->
                        Answers.page(answer.getEntriesList(), answer.getNextPageToken(), OperationEndpoints::write));
    }

    private static void write(JsonWriter json, RunHistoryEntry entry) {
        json.text("kind", EnumNames.json(entry.getKind(), "KIND_"));
        json.time("time", entry.getTime());
        json.optionalText("step", entry.getStep());
        json.text("what", entry.getWhat());
        json.optionalText("who", entry.getWho());
        json.optionalText("why", entry.getWhy());
        json.raw("details", entry.getDetails());
    }

    private CompletionStage<HttpResponse> listPinned(ApiRequest request) {
        var list = ListPinnedRunsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), PinServiceGrpc.getListPinnedRunsMethod(), list)
                .thenApply(answer ->
                        Answers.page(answer.getPinnedRunsList(), answer.getNextPageToken(), OperationEndpoints::write));
    }

    private static void write(JsonWriter json, PinnedRun pinned) {
        json.text("run_id", pinned.getRunId());
        json.text("actor", pinned.getNote().getActor());
        json.text("reason", pinned.getNote().getReason());
        json.time("pin_time", pinned.getPinTime());
    }

    private static void write(JsonWriter json, RunOperation operation) {
        json.text("id", operation.getId());
        json.text("operation", OperationNames.json(operation.getOperation()));
        json.text("actor", operation.getNote().getActor());
        json.text("reason", operation.getNote().getReason());
        json.raw("details", operation.getDetails());
        json.time("create_time", operation.getCreateTime());
    }
}
