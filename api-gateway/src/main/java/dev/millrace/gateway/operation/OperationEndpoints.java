package dev.millrace.gateway.operation;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.run.RunJson;
import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PauseRunResponse;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunResponse;
import dev.millrace.proto.operation.v1.RunOperation;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Changes the course of runs, and tells what was done to them. */
public final class OperationEndpoints {

    private static final String RUN = "/api/v1/runs/{id}";

    private static final JsonFields<OperationNote.Builder> NOTE = new JsonFields<OperationNote.Builder>()
            .field("reason", (json, note) -> note.setReason(json.text()))
            .field("actor", (json, note) -> note.setActor(json.text()));

    private final Scheduler scheduler;

    public OperationEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
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
                Endpoint.get(RUN + "/operations", Set.of("page_size", "page_token"), this::list));
    }

    /** An operation that takes nothing but who and why, and answers with the run. */
    private <Q, A> Endpoint noted(
            String verb,
            MethodDescriptor<Q, A> method,
            BiFunction<String, OperationNote, Q> message,
            Function<A, Run> run) {
        return Endpoint.post(RUN + ":" + verb, Set.of(), request -> {
            var note = request.optionalJson(NOTE, OperationNote.newBuilder()).build();
            return scheduler
                    .call(request.context(), method, message.apply(request.path("id"), note))
                    .thenApply(answer -> Answers.json(json -> RunJson.run(json, run.apply(answer))));
        });
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

    private static void write(JsonWriter json, RunOperation operation) {
        json.text("id", operation.getId());
        json.text("operation", operation.getOperation());
        json.text("actor", operation.getNote().getActor());
        json.text("reason", operation.getNote().getReason());
        json.raw("details", operation.getDetails());
        json.time("create_time", operation.getCreateTime());
    }
}
