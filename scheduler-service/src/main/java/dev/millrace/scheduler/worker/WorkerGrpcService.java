package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ListWorkersResponse;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.UUID;

/** gRPC service that lists workers. */
final class WorkerGrpcService extends WorkerServiceGrpc.WorkerServiceImplBase {
    private static final int UUID_LENGTH = 36;
    private static final UUID FIRST = new UUID(0, 0);

    private final SessionStore store;
    private final WorkspaceDirectory workspaces;

    WorkerGrpcService(SessionStore store, WorkspaceDirectory workspaces) {
        this.store = store;
        this.workspaces = workspaces;
    }

    @Override
    public void listWorkers(ListWorkersRequest request, StreamObserver<ListWorkersResponse> observer) {
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        VisibleWorkers visible = VisibleWorkers.to(Access.current(), workspaces);
        PageRequest.Page<SessionRow> sessions =
                page.of(limit -> after(page.after(), visible, limit), WorkerGrpcService::key);
        Unary.answer(
                observer,
                ListWorkersResponse.newBuilder()
                        .addAllWorkers(sessions.items().stream()
                                .map(WorkerGrpcService::worker)
                                .toList())
                        .setNextPageToken(sessions.nextToken())
                        .build());
    }

    private List<SessionRow> after(String key, VisibleWorkers visible, int limit) {
        if (key.isEmpty()) {
            return store.list("", FIRST, visible, limit);
        }
        if (key.length() < UUID_LENGTH) {
            throw PageRequest.badToken();
        }
        int end = key.length() - UUID_LENGTH;
        try {
            return store.list(key.substring(0, end), UUID.fromString(key.substring(end)), visible, limit);
        } catch (IllegalArgumentException notOurs) {
            throw PageRequest.badToken();
        }
    }

    private static String key(SessionRow session) {
        return session.workerName() + session.id();
    }

    private static Worker worker(SessionRow session) {
        return Worker.newBuilder()
                .setSessionId(session.id().toString())
                .setName(session.workerName())
                .setVersion(session.version())
                .putAllRuntimes(SessionJson.read(session.runtimes()))
                .putAllLabels(SessionJson.read(session.labels()))
                .addAllSlotGroups(SessionJson.readGroups(session.slotGroups()))
                .setLeasedJobs(session.leasedJobs())
                .setConnectTime(TimeProtos.timestamp(session.connectedAt()))
                .setHeartbeatTime(TimeProtos.timestamp(session.heartbeatAt()))
                .build();
    }
}
