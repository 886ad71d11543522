package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.SlotGroup;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** Opens sessions, and resumes those whose stream has broken. Reads and writes the database. Thread-safe. */
final class SessionOpening {
    private final ConnectedSessions connected;
    private final SlotOffers offers;
    private final SessionEndings endings;
    private final SessionStore store;
    private final GroupStore groups;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final Leases leases;
    private final IdSource ids;
    private final WorkspaceDirectory workspaces;
    private final Supplier<LeaseMessages> messages;
    private final WorkerConfig config;
    private final LimitConfig limits;

    /** @param messages makes what writes the leases of one session */
    SessionOpening(
            ConnectedSessions connected,
            SlotOffers offers,
            SessionEndings endings,
            SessionStore store,
            GroupStore groups,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            IdSource ids,
            WorkspaceDirectory workspaces,
            Supplier<LeaseMessages> messages,
            WorkerConfig config,
            LimitConfig limits) {
        this.connected = connected;
        this.offers = offers;
        this.endings = endings;
        this.store = store;
        this.groups = groups;
        this.lanes = lanes;
        this.slots = slots;
        this.leases = leases;
        this.ids = ids;
        this.workspaces = workspaces;
        this.messages = messages;
        this.config = config;
        this.limits = limits;
    }

    /**
     * Resumes the session that the worker asks for, or opens a new one if that session has ended. Reads and writes the
     * database.
     *
     * @param access the worker's, with its token and the workspaces that it names
     */
    WorkerSession open(Hello hello, Access access, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        workspaces.prepareFor(access.worker());
        return hello.getSessionId().isEmpty()
                ? openNew(hello, access, stream, pace)
                : resume(hello, access, stream, pace).orElseGet(() -> openNew(hello, access, stream, pace));
    }

    private WorkerSession openNew(
            Hello hello, Access access, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        SessionId id = new SessionId(ids.nextUuid());
        String token = ResumeToken.make();
        List<SlotGroup> slotGroups = offers.groups(hello.getSlotGroupsList(), access.worker());
        store.insert(id, ResumeToken.hash(token), access, hello, config.sessionTtl());
        WorkerSession session = new WorkerSession(
                id,
                hello.getWorkerName(),
                hello.getSlotGroupsList(),
                stream,
                pace,
                Set.of(),
                access.worker(),
                messages.get());
        session.wantVersionChanges(hello.getWantsVersionChanges());
        session.welcome(welcome(id, token, false));
        connected.byId().put(id, session);
        slots.connect(session, slotGroups, Map.of());
        offers.offer(session);
        lanes.wake();
        return session;
    }

    private Optional<WorkerSession> resume(
            Hello hello, Access access, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        SessionId id = SessionId.parse(hello.getSessionId());
        List<SlotGroup> slotGroups = offers.groups(hello.getSlotGroupsList(), access.worker());
        byte[] tokenHash = ResumeToken.hash(hello.getResumeToken());
        Set<LeaseKey> held = held(hello.getHeldLeasesList());
        WorkerSession session = new WorkerSession(
                id,
                hello.getWorkerName(),
                hello.getSlotGroupsList(),
                stream,
                pace,
                held,
                access.worker(),
                messages.get());
        session.wantVersionChanges(hello.getWantsVersionChanges());
        Lock streamLock = connected.streamChange(id);
        Optional<Boolean> isDrained;
        streamLock.lock();
        try {
            Optional<UUID> credential = access.caller().credential();
            isDrained = store.resume(id, tokenHash, credential, hello.getSlotGroupsList(), config.sessionTtl());
            if (isDrained.isEmpty()) {
                return Optional.empty();
            }
            session.welcome(welcome(id, hello.getResumeToken(), true));
            Optional.ofNullable(connected.byId().put(id, session))
                    .ifPresent(before -> before.end(Status.ABORTED.withDescription(SessionEndings.RESUMED_ELSEWHERE)));
            // With the lock: an older stream of the session must not take the place of this one.
            slots.connect(session, slotGroups, countLeases(id), isDrained.get());
        } finally {
            streamLock.unlock();
        }
        offers.offer(session);
        try {
            groups.waitingFor(List.of(id)).forEach(lanes::jobsMayWait);
        } catch (RuntimeException failure) {
            // The stream ends with this exception. If the session stayed registered, it would obstruct the next
            // attempt.
            endings.disconnected(session);
            throw failure;
        }
        var _ = lanes.resync()
                .thenRunAsync(
                        () -> cancelWhatIsOver(session, held),
                        task -> Thread.ofVirtual().start(task));
        lanes.wake();
        return Optional.of(session);
    }

    /**
     * Counts the leases of each group. Those that the worker does not hold count, too: no message has taken them there, so
     * the resync that follows sends them.
     */
    private Map<String, Integer> countLeases(SessionId id) {
        Map<String, Integer> counts = new HashMap<>();
        leases.of(id).forEach(lease -> counts.merge(lease.slot().group(), 1, Integer::sum));
        return counts;
    }

    /**
     * Tells the worker which of its leases ended while it was disconnected. The lane answers those with a result on the
     * way.
     */
    private void cancelWhatIsOver(WorkerSession session, Set<LeaseKey> held) {
        Set<LeaseKey> real = new HashSet<>(store.leasesOf(List.of(session.session())));
        List<Cancellation> over = new ArrayList<>();
        for (LeaseKey lease : held) {
            if (!real.contains(lease)) {
                over.add(new Cancellation(lease.job(), lease.token(), "The lease ended while the worker was away."));
            }
        }
        if (!over.isEmpty()) {
            session.cancel(over);
        }
    }

    private Welcome welcome(SessionId id, String token, boolean resumed) {
        return Welcome.newBuilder()
                .setSessionId(id.toString())
                .setResumeToken(token)
                .setResumed(resumed)
                .setHeartbeatInterval(TimeProtos.duration(config.heartbeatInterval()))
                .setSessionTtl(TimeProtos.duration(config.sessionTtl()))
                .setResultBytesMax(limits.payloadBytesMax())
                .setLogBytesMax(limits.logBytesMax())
                .setTellsVersionChanges(true)
                .build();
    }

    private static Set<LeaseKey> held(List<HeldLease> leases) {
        Set<LeaseKey> held = new HashSet<>();
        leases.forEach(
                lease -> held.add(new LeaseKey(JobId.parse(lease.getJobId()), new LeaseToken(lease.getLeaseToken()))));
        return held;
    }
}
