package dev.millrace.scheduler.audit;

import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ExportAuditEventsRequest;
import dev.millrace.proto.audit.v1.ExportAuditEventsResponse;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.audit.v1.ListAuditEventsResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.UUID;

/** gRPC service for audit events. */
public final class AuditGrpcService extends AuditServiceGrpc.AuditServiceImplBase {
    private final AuditEvents events;
    private final Followers followers;
    private final ExportSlots slots = new ExportSlots();

    public AuditGrpcService(AuditEvents events, Followers followers) {
        this.events = events;
        this.followers = followers;
    }

    @Override
    public void listAuditEvents(ListAuditEventsRequest request, StreamObserver<ListAuditEventsResponse> observer) {
        requireOwner(request.getAll());
        AuditFilter filter = AuditProtos.filter(request.getWorkspace(), request.getAll(), request.getFilter());
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        PageRequest.Page<AuditEvent> found = events.list(filter, page);
        Unary.answer(
                observer,
                ListAuditEventsResponse.newBuilder()
                        .addAllAuditEvents(found.map(AuditProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void exportAuditEvents(
            ExportAuditEventsRequest request, StreamObserver<ExportAuditEventsResponse> observer) {
        requireOwner(request.getAll());
        AuditFilter filter = AuditProtos.filter(request.getWorkspace(), request.getAll(), request.getFilter());
        UUID after = AuditProtos.after(request.getAfterId());
        ExportSlots.Slot slot = slots.take(filter.workspace());
        try {
            followers.start(observer, stream -> {
                try (slot) {
                    export(events.after(filter, after), stream);
                }
            });
        } catch (RuntimeException refusal) {
            slot.close();
            throw refusal;
        }
    }

    private void export(AuditEvents.Export from, PacedStream<ExportAuditEventsResponse> stream)
            throws InterruptedException {
        long end = events.settled();
        AuditEvents.Export rest = from;
        for (List<AuditStore.Stored> batch = next(rest, end, stream);
                !batch.isEmpty();
                batch = next(rest, end, stream)) {
            for (AuditStore.Stored stored : batch) {
                stream.send(ExportAuditEventsResponse.newBuilder()
                        .setId(stored.event().id().toString())
                        .setCloudEvent(CloudEvent.of(stored.event()))
                        .build());
            }
            rest = new AuditEvents.Export(rest.filter(), batch.getLast().position());
        }
    }

    /** Reads the next events once the caller has taken those before. */
    private List<AuditStore.Stored> next(
            AuditEvents.Export rest, long end, PacedStream<ExportAuditEventsResponse> stream)
            throws InterruptedException {
        stream.awaitReady();
        return events.next(rest, end);
    }

    /** The rule of the methods asks for an admin of the workspace; for all events, that is not enough. */
    private static void requireOwner(boolean all) {
        if (all) {
            Access.current().requireInstallation(Role.OWNER);
        }
    }
}
