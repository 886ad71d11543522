package dev.millrace.gateway.operation;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.CancelBulkOperationRequest;
import dev.millrace.proto.operation.v1.GetBulkOperationRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.ListBulkOperationsRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.RunFilter;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest.SelectionCase;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that start, show and cancel operations on many runs. */
public final class BulkOperationEndpoints {

    private static final String BULKS = "/api/v1/bulk-operations";
    private static final String BULK = BULKS + "/{id}";
    private static final String STATE_PREFIX = "STATE_";
    private static final String KIND_PREFIX = "KIND_";

    private static final JsonFields<RunFilter.Builder> FILTER = new JsonFields<RunFilter.Builder>()
            .field("flow", (json, filter) -> filter.setFlowPath(json.text()))
            .field("states", (json, filter) -> json.items(() -> filter.addStates(runState(json))))
            .field("kind", (json, filter) -> filter.setKind(kind(json)))
            .field("created_from", (json, filter) -> filter.setCreatedFrom(json.time()))
            .field("created_before", (json, filter) -> filter.setCreatedBefore(json.time()))
            .field("name", (json, filter) -> filter.setName(json.text()))
            .field("input", (json, filter) -> json.items(() -> filter.addInput(json.text())))
            .field("output", (json, filter) -> json.items(() -> filter.addOutput(json.text())))
            .field("tag", (json, filter) -> filter.setTag(json.text()))
            .field("started_by", (json, filter) -> filter.setStartedBy(json.text()));

    private static final JsonFields<StartBulkOperationRequest.Builder> START = new JsonFields<
                    StartBulkOperationRequest.Builder>()
            .field("operation", (json, start) -> start.setOperation(OperationNames.read(json)))
            .field("step", (json, start) -> start.setStep(json.text()))
            .field("result", (json, start) -> start.setResult(json.raw()))
            .field("flow_hash", (json, start) -> start.setFlowHash(json.text()))
            .field("step_input", (json, start) -> start.setStepInput(json.rawObject()))
            .field("run_ids", BulkOperationEndpoints::readRunIds)
            .field("filter", BulkOperationEndpoints::readFilter)
            .field("reason", (json, start) -> start.getNoteBuilder().setReason(json.text()))
            .field("actor", (json, start) -> start.getNoteBuilder().setActor(json.text()));

    private static final JsonFields<OperationNote.Builder> NOTE = new JsonFields<OperationNote.Builder>()
            .field("reason", (json, note) -> note.setReason(json.text()))
            .field("actor", (json, note) -> note.setActor(json.text()));

    private final Scheduler scheduler;

    public BulkOperationEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(BULKS, Set.of(), this::start),
                Endpoint.get(BULKS, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(BULK, Set.of(), this::get),
                Endpoint.get(BULK + "/runs", Set.of("state", "page_size", "page_token"), this::items),
                Endpoint.post(BULK + ":cancel", Set.of(), this::cancel));
    }

    private CompletionStage<HttpResponse> start(ApiRequest request) {
        var start = request.json(START, StartBulkOperationRequest.newBuilder());
        start.getNoteBuilder().setRequestId(request.idempotencyKey());
        return scheduler
                .call(request.context(), BulkOperationServiceGrpc.getStartBulkOperationMethod(), start.build())
                .thenApply(answer -> {
                    var bulk = answer.getBulkOperation();
                    return Answers.located(HttpStatus.ACCEPTED, BULKS + "/" + bulk.getId(), json -> write(json, bulk));
                });
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetBulkOperationRequest.newBuilder()
                .setBulkOperationId(request.path("id"))
                .build();
        return scheduler
                .call(request.context(), BulkOperationServiceGrpc.getGetBulkOperationMethod(), get)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getBulkOperation())));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListBulkOperationsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), BulkOperationServiceGrpc.getListBulkOperationsMethod(), list)
                .thenApply(answer -> Answers.page(
                        answer.getBulkOperationsList(), answer.getNextPageToken(), BulkOperationEndpoints::write));
    }

    private CompletionStage<HttpResponse> items(ApiRequest request) {
        var list = ListBulkOperationRunsRequest.newBuilder()
                .setBulkOperationId(request.path("id"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken());
        for (var state : request.queryList("state")) {
            list.addStates(EnumNames.parse(BulkOperationRun.State.class, STATE_PREFIX, state)
                    .orElseThrow(() -> ApiRequest.wrongQuery(
                            "state",
                            "is \"" + state + "\" (expected: "
                                    + EnumNames.known(BulkOperationRun.State.class, STATE_PREFIX) + ")")));
        }
        return scheduler
                .call(request.context(), BulkOperationServiceGrpc.getListBulkOperationRunsMethod(), list.build())
                .thenApply(answer ->
                        Answers.page(answer.getRunsList(), answer.getNextPageToken(), BulkOperationEndpoints::write));
    }

    private CompletionStage<HttpResponse> cancel(ApiRequest request) {
        var cancel = CancelBulkOperationRequest.newBuilder()
                .setBulkOperationId(request.path("id"))
                .setNote(request.optionalJson(NOTE, OperationNote.newBuilder()))
                .build();
        return scheduler
                .call(request.context(), BulkOperationServiceGrpc.getCancelBulkOperationMethod(), cancel)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getBulkOperation())));
    }

    private static void readRunIds(JsonReader json, StartBulkOperationRequest.Builder start) throws IOException {
        requireOneSelection(json, start);
        json.items(() -> start.getRunIdsBuilder().addIds(json.text()));
    }

    private static void readFilter(JsonReader json, StartBulkOperationRequest.Builder start) throws IOException {
        requireOneSelection(json, start);
        json.object(FILTER, start.getFilterBuilder());
    }

    private static void requireOneSelection(JsonReader json, StartBulkOperationRequest.Builder start) {
        if (start.getSelectionCase() != SelectionCase.SELECTION_NOT_SET) {
            throw json.wrong("is a second selection (expected: either run_ids or a filter)");
        }
    }

    private static Run.State runState(JsonReader json) throws IOException {
        var state = json.text();
        return EnumNames.parse(Run.State.class, STATE_PREFIX, state)
                .orElseThrow(() -> json.wrong(
                        "is \"" + state + "\" (expected: " + EnumNames.known(Run.State.class, STATE_PREFIX) + ")"));
    }

    private static ListRunsRequest.Kind kind(JsonReader json) throws IOException {
        var kind = json.text();
        return EnumNames.parse(ListRunsRequest.Kind.class, KIND_PREFIX, kind)
                .orElseThrow(() -> json.wrong("is \"" + kind + "\" (expected: "
                        + EnumNames.known(ListRunsRequest.Kind.class, KIND_PREFIX) + ")"));
    }

    private static void write(JsonWriter json, BulkOperation bulk) {
        json.text("id", bulk.getId());
        json.text("operation", OperationNames.json(bulk.getOperation()));
        json.optionalText("step", bulk.getStep());
        json.optionalText("flow_hash", bulk.getFlowHash());
        if (bulk.getHasStepInput()) {
            json.flag("has_step_input", true);
        }
        json.text("state", EnumNames.json(bulk.getState(), STATE_PREFIX));
        json.integer("total", bulk.getTotal());
        json.integer("done", bulk.getDone());
        json.integer("failed", bulk.getFailed());
        json.integer("left_out", bulk.getLeftOut());
        json.text("actor", bulk.getNote().getActor());
        json.text("reason", bulk.getNote().getReason());
        if (bulk.hasCancelNote()) {
            json.object("canceled", canceled -> {
                canceled.text("actor", bulk.getCancelNote().getActor());
                canceled.text("reason", bulk.getCancelNote().getReason());
            });
        }
        json.time("create_time", bulk.getCreateTime());
        json.time("end_time", bulk.getEndTime());
    }

    private static void write(JsonWriter json, BulkOperationRun item) {
        json.text("run_id", item.getRunId());
        json.text("state", EnumNames.json(item.getState(), STATE_PREFIX));
        if (!item.getErrorCode().isEmpty()) {
            json.object("error", error -> {
                error.text("code", item.getErrorCode().toLowerCase(Locale.ROOT));
                error.text("message", item.getErrorMessage());
            });
        }
        json.optionalText("new_run_id", item.getNewRunId());
    }
}
