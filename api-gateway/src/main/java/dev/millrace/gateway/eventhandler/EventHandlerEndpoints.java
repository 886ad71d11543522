package dev.millrace.gateway.eventhandler;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.eventhandler.v1.DeleteEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.EventExecution;
import dev.millrace.proto.eventhandler.v1.EventHandler;
import dev.millrace.proto.eventhandler.v1.EventHandlerServiceGrpc;
import dev.millrace.proto.eventhandler.v1.GetEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.ListEventExecutionsRequest;
import dev.millrace.proto.eventhandler.v1.ListEventHandlersRequest;
import dev.millrace.proto.eventhandler.v1.PutEventHandlerRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints for event handlers. */
public final class EventHandlerEndpoints {
    private static final String HANDLERS = "/api/v1/event-handlers";
    private static final String ONE = HANDLERS + "/{*path}";
    private static final String EXECUTIONS = "/api/v1/event-executions/{*path}";
    private static final String STATE_PREFIX = "STATE_";

    private final Scheduler scheduler;

    public EventHandlerEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(HANDLERS, Set.of("event", "page_size", "page_token"), this::list),
                Endpoint.put(ONE, Set.of(), this::put),
                Endpoint.get(ONE, Set.of(), this::get),
                Endpoint.delete(ONE, Set.of(), this::delete),
                Endpoint.get(EXECUTIONS, Set.of("page_size", "page_token"), this::executions));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListEventHandlersRequest.newBuilder()
                .setEvent(request.query("event"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getListEventHandlersMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getHandlersList(), page.getNextPageToken(), EventHandlerEndpoints::write));
    }

    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put = PutEventHandlerRequest.newBuilder()
                .setPath(request.path("path"))
                .setDefinition(ByteString.copyFrom(request.body().array()))
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getPutEventHandlerMethod(), put)
                .thenApply(answer -> Answers.json(json -> write(json, answer.getHandler())));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetEventHandlerRequest.newBuilder()
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getGetEventHandlerMethod(), get)
                .thenApply(found -> Answers.json(json -> write(json, found.getHandler())));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteEventHandlerRequest.newBuilder()
                .setPath(request.path("path"))
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getDeleteEventHandlerMethod(), delete)
                .thenApply(deleted -> Answers.json(json -> write(json, deleted.getHandler())));
    }

    private CompletionStage<HttpResponse> executions(ApiRequest request) {
        var list = ListEventExecutionsRequest.newBuilder()
                .setPath(request.path("path"))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getListEventExecutionsMethod(), list)
                .thenApply(page -> Answers.page(
                        page.getExecutionsList(), page.getNextPageToken(), EventHandlerEndpoints::writeExecution));
    }

    private static void write(JsonWriter json, EventHandler handler) {
        json.text("path", handler.getPath());
        json.text("event", handler.getEvent());
        json.flag("active", handler.getActive());
        json.raw("definition", handler.getDefinition());
        json.integer("version", handler.getVersion());
        json.text("actor", handler.getActor());
        json.time("update_time", handler.getChangeTime());
    }

    private static void writeExecution(JsonWriter json, EventExecution execution) {
        json.text("id", execution.getId());
        json.text("event", execution.getEvent());
        json.optionalText("message_run_id", execution.getMessageRunId());
        json.optionalText("message_source", execution.getMessageSource());
        json.text("state", EnumNames.json(execution.getState(), STATE_PREFIX));
        json.optionalText("action", execution.getAction());
        json.optionalText("started_run_id", execution.getStartedRunId());
        json.optionalText("reason", execution.getReason());
        json.time("create_time", execution.getTime());
    }
}
