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
    /** Maximum number of workers on a page that lists their processes, too: a page fits into a message of gRPC. */
    private static final int SIZE_WITH_PROCESSES_MAX = 50;

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
        PageRequest asked = PageRequest.of(request.getPageSize(), request.getPageToken());
        PageRequest page = request.getProcesses()
                ? new PageRequest(Math.min(asked.size(), SIZE_WITH_PROCESSES_MAX), asked.after())
                : asked;
        VisibleWorkers visible = VisibleWorkers.to(Access.current(), workspaces);
        PageRequest.Page<SessionRow> sessions =
                page.of(limit -> after(page.after(), visible, request.getProcesses(), limit), WorkerGrpcService::key);
        VisibleProcesses processes = VisibleProcesses.to(
                Access.current(),
                sessions.items().stream().map(SessionRow::processes).toList(),
                store);
        Unary.answer(
                observer,
                ListWorkersResponse.newBuilder()
                        .addAllWorkers(sessions.items().stream()
                                .map(session -> worker(session, processes, visible.all()))
                                .toList())
                        .setNextPageToken(sessions.nextToken())
                        .build());
    }

    private List<SessionRow> after(String key, VisibleWorkers visible, boolean processes, int limit) {
        if (key.isEmpty()) {
            return store.list("", FIRST, visible, processes, limit);
        }
        if (key.length() < UUID_LENGTH) {
            throw PageRequest.badToken();
        }
        int end = key.length() - UUID_LENGTH;
        try {
            return store.list(key.substring(0, end), UUID.fromString(key.substring(end)), visible, processes, limit);
        } catch (IllegalArgumentException notOurs) {
            throw PageRequest.badToken();
        }
    }

    private static String key(SessionRow session) {
        return session.workerName() + session.id();
    }

    private static Worker worker(SessionRow session, VisibleProcesses processes, boolean seesAll) {
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
                .addAllProcesses(processes.of(session.processes()))
                .setProcessesLeftOff(seesAll ? session.processes().getLeftOff() : 0)
                .build();
    }
}
