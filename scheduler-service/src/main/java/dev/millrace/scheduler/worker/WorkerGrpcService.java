package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.DrainWorkerRequest;
import dev.millrace.proto.worker.v1.DrainWorkerResponse;
import dev.millrace.proto.worker.v1.KillWorkerRequest;
import dev.millrace.proto.worker.v1.KillWorkerResponse;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ListWorkersResponse;
import dev.millrace.proto.worker.v1.ResumeWorkerRequest;
import dev.millrace.proto.worker.v1.ResumeWorkerResponse;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.wake.DrainsChanged;
import dev.millrace.scheduler.wake.WorkerKilled;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.UUID;

/** gRPC service that lists workers, drains them, and kills those that are for trials. */
final class WorkerGrpcService extends WorkerServiceGrpc.WorkerServiceImplBase {
    /** Maximum number of workers on a page that lists their processes, too: a page fits into a message of gRPC. */
    private static final int SIZE_WITH_PROCESSES_MAX = 50;

    private static final int UUID_LENGTH = 36;
    private static final UUID FIRST = new UUID(0, 0);

    private final SessionStore store;
    private final DrainStore drains;
    private final WorkspaceDirectory workspaces;

    private final EventBus bus;

    WorkerGrpcService(SessionStore store, DrainStore drains, WorkspaceDirectory workspaces, EventBus bus) {
        this.store = store;
        this.drains = drains;
        this.workspaces = workspaces;
        this.bus = bus;
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

    @Override
    public void drainWorker(DrainWorkerRequest request, StreamObserver<DrainWorkerResponse> observer) {
        SessionId session = sessionId(request.getSessionId());
        String reason = request.getReason();
        Violations violations = new Violations();
        violations.require(
                reason.length() <= WorkerDrain.REASON_LENGTH_MAX,
                "reason",
                reason.length() + " characters (expected: at most " + WorkerDrain.REASON_LENGTH_MAX + ")");
        violations.require(reason.indexOf('\0') < 0, "reason", "contains a NUL character: remove it");
        violations.throwIfAny();
        WorkerDrain drain =
                drains.drain(session, Access.current().name(), reason).orElseThrow(() -> notFound(session));
        bus.publish(new DrainsChanged());
        Unary.answer(
                observer,
                DrainWorkerResponse.newBuilder()
                        .setDrain(SessionProtos.drain(drain))
                        .build());
    }

    @Override
    public void resumeWorker(ResumeWorkerRequest request, StreamObserver<ResumeWorkerResponse> observer) {
        SessionId session = sessionId(request.getSessionId());
        if (!drains.resume(session)) {
            throw notFound(session);
        }
        bus.publish(new DrainsChanged());
        Unary.answer(observer, ResumeWorkerResponse.getDefaultInstance());
    }

    @Override
    public void killWorker(KillWorkerRequest request, StreamObserver<KillWorkerResponse> observer) {
        SessionId session = sessionId(request.getSessionId());
        boolean isKillable = store.isKillable(session).orElseThrow(() -> notFound(session));
        if (!isKillable) {
            throw new MillraceException(
                    ErrorCode.WORKER_NOT_KILLABLE,
                    "This worker does not let itself be killed. Only workers for trials do, such as that of `millrace dev`.");
        }
        bus.publish(new WorkerKilled(session));
        Unary.answer(observer, KillWorkerResponse.getDefaultInstance());
    }

    private static MillraceException notFound(SessionId session) {
        return new MillraceException(
                ErrorCode.WORKER_NOT_FOUND,
                "No worker is connected with the session " + session + ". List the workers for their sessions.");
    }

    private static SessionId sessionId(String given) {
        try {
            return SessionId.parse(given);
        } catch (IllegalArgumentException noId) {
            throw MillraceException.invalid("session_id", given + " (expected: the id of a session, a UUID)");
        }
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
        Worker.Builder worker = Worker.newBuilder();
        session.drain().map(SessionProtos::drain).ifPresent(worker::setDrain);
        session.occupancy().map(SessionProtos::occupancy).ifPresent(worker::setOccupancy);
        return worker.setSessionId(session.id().toString())
                .setName(session.workerName())
                .setVersion(session.version())
                .putAllRuntimes(SessionJson.read(session.runtimes()))
                .putAllLabels(SessionJson.read(session.labels()))
                .addAllSlotGroups(SessionJson.readGroups(session.slotGroups()))
                .setKillable(session.killable())
                .setLeasedJobs(session.leasedJobs())
                .setConnectTime(TimeProtos.timestamp(session.connectedAt()))
                .setHeartbeatTime(TimeProtos.timestamp(session.heartbeatAt()))
                .addAllProcesses(processes.of(session.processes()))
                .setProcessesLeftOff(seesAll ? session.processes().getLeftOff() : 0)
                .build();
    }
}
