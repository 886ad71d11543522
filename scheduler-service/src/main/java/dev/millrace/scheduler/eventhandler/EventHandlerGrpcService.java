package dev.millrace.scheduler.eventhandler;

import dev.millrace.proto.eventhandler.v1.DeleteEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.DeleteEventHandlerResponse;
import dev.millrace.proto.eventhandler.v1.EventHandlerServiceGrpc;
import dev.millrace.proto.eventhandler.v1.GetEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.GetEventHandlerResponse;
import dev.millrace.proto.eventhandler.v1.ListEventExecutionsRequest;
import dev.millrace.proto.eventhandler.v1.ListEventExecutionsResponse;
import dev.millrace.proto.eventhandler.v1.ListEventHandlersRequest;
import dev.millrace.proto.eventhandler.v1.ListEventHandlersResponse;
import dev.millrace.proto.eventhandler.v1.PutEventHandlerRequest;
import dev.millrace.proto.eventhandler.v1.PutEventHandlerResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** gRPC service for event handlers. */
public final class EventHandlerGrpcService extends EventHandlerServiceGrpc.EventHandlerServiceImplBase {
    private final EventHandlers handlers;

    EventHandlerGrpcService(EventHandlers handlers) {
        this.handlers = handlers;
    }

    @Override
    public void putEventHandler(PutEventHandlerRequest request, StreamObserver<PutEventHandlerResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        EventHandlerProtos.Named named = EventHandlerProtos.named(request.getPath(), request.getDefinition());
        EventHandler put = handlers.put(workspace, named.path(), named.definition(), Access.current());
        Unary.answer(
                observer,
                PutEventHandlerResponse.newBuilder()
                        .setHandler(EventHandlerProtos.message(put))
                        .build());
    }

    @Override
    public void getEventHandler(GetEventHandlerRequest request, StreamObserver<GetEventHandlerResponse> observer) {
        EventHandler found = handlers.get(RequestFields.workspace(request.getWorkspace()), request.getPath());
        Unary.answer(
                observer,
                GetEventHandlerResponse.newBuilder()
                        .setHandler(EventHandlerProtos.message(found))
                        .build());
    }

    @Override
    public void listEventHandlers(
            ListEventHandlersRequest request, StreamObserver<ListEventHandlersResponse> observer) {
        var page = handlers.list(
                RequestFields.workspace(request.getWorkspace()),
                Optional.of(request.getEvent()).filter(event -> !event.isEmpty()),
                Access.current(),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListEventHandlersResponse.newBuilder()
                        .addAllHandlers(page.map(EventHandlerProtos::message).items())
                        .setNextPageToken(page.nextToken())
                        .build());
    }

    @Override
    public void deleteEventHandler(
            DeleteEventHandlerRequest request, StreamObserver<DeleteEventHandlerResponse> observer) {
        EventHandler deleted = handlers.delete(RequestFields.workspace(request.getWorkspace()), request.getPath());
        Unary.answer(
                observer,
                DeleteEventHandlerResponse.newBuilder()
                        .setHandler(EventHandlerProtos.message(deleted))
                        .build());
    }

    @Override
    public void listEventExecutions(
            ListEventExecutionsRequest request, StreamObserver<ListEventExecutionsResponse> observer) {
        var page = handlers.executions(
                RequestFields.workspace(request.getWorkspace()),
                request.getPath(),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListEventExecutionsResponse.newBuilder()
                        .addAllExecutions(page.map(EventHandlerProtos::message).items())
                        .setNextPageToken(page.nextToken())
                        .build());
    }
}
