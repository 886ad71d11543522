package dev.millrace.gateway.eventhandler;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.eventhandler.v1.DeleteEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.EventHandler;
import dev.millrace.proto.eventhandler.v1.EventHandlerServiceGrpc;
import dev.millrace.proto.eventhandler.v1.ListEventHandlersRequest;
import dev.millrace.proto.eventhandler.v1.PutEventHandlerRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** The endpoints of Conductor for event handlers, for programs that know these. Definitions are answered as they were given. */
public final class ConductorEventEndpoints {
    private static final String EVENT = "/api/v1/conductor/event";
    private static final String ONE = EVENT + "/{*name}";
    /** As many as a workspace may have. */
    private static final int HANDLERS_MAX = 1_000;

    private final Scheduler scheduler;

    public ConductorEventEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(EVENT, Set.of(), request -> list(request, "", false)),
                Endpoint.post(EVENT, Set.of(), this::put),
                Endpoint.put(EVENT, Set.of(), this::put),
                Endpoint.get(
                        ONE,
                        Set.of("activeOnly"),
                        request -> list(
                                request,
                                request.path("name"),
                                !request.query("activeOnly").equals("false"))),
                Endpoint.delete(ONE, Set.of(), this::delete));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request, String event, boolean isActiveOnly) {
        var list = ListEventHandlersRequest.newBuilder()
                .setEvent(event)
                .setPageSize(HANDLERS_MAX)
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getListEventHandlersMethod(), list)
                .thenApply(page -> HttpResponse.of(
                        HttpStatus.OK,
                        MediaType.JSON_UTF_8,
                        page.getHandlersList().stream()
                                .filter(handler -> !isActiveOnly || handler.getActive())
                                .map(EventHandler::getDefinition)
                                .map(ByteString::toStringUtf8)
                                .collect(Collectors.joining(",", "[", "]"))));
    }

    /** The name of the handler is in its definition. */
    private CompletionStage<HttpResponse> put(ApiRequest request) {
        var put = PutEventHandlerRequest.newBuilder()
                .setDefinition(ByteString.copyFrom(request.body().array()))
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getPutEventHandlerMethod(), put)
                .thenApply(_ -> HttpResponse.of(ResponseHeaders.of(HttpStatus.OK)));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteEventHandlerRequest.newBuilder()
                .setPath(request.path("name"))
                .build();
        return scheduler
                .call(request.context(), EventHandlerServiceGrpc.getDeleteEventHandlerMethod(), delete)
                .thenApply(_ -> HttpResponse.of(ResponseHeaders.of(HttpStatus.OK)));
    }
}
