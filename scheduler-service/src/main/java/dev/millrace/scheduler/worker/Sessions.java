package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.SlotGroup;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.rpc.TimeProtos;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Opens, resumes and closes the sessions that are connected to this scheduler. Thread-safe. */
final class Sessions {
    /** Most folders that a worker may ask about at a time. */
    private static final int FOLDERS_ASKED_MAX = 10_000;

    private final SessionStore store;
    private final GroupStore groups;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final Leases leases;
    private final StartedJobs started;
    private final IdSource ids;
    private final WorkerConfig config;
    private final LimitConfig limits;
    private final Map<SessionId, WorkerSession> connected = new ConcurrentHashMap<>();

    Sessions(
            SessionStore store,
            GroupStore groups,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            IdSource ids,
            WorkerConfig config,
            LimitConfig limits) {
        this.store = store;
        this.groups = groups;
        this.lanes = lanes;
        this.slots = slots;
        this.leases = leases;
        this.started = started;
        this.ids = ids;
        this.config = config;
        this.limits = limits;
    }

    /** Opens the session that the worker asks for, or a new one where that is over. Reads and writes the database. */
    WorkerSession open(Hello hello, StreamObserver<OpenSessionResponse> stream) {
        return hello.getSessionId().isEmpty()
                ? openNew(hello, stream)
                : resume(hello, stream).orElseGet(() -> openNew(hello, stream));
    }

    private WorkerSession openNew(Hello hello, StreamObserver<OpenSessionResponse> stream) {
        SessionId id = new SessionId(ids.nextUuid());
        String token = ResumeToken.make();
        List<SlotGroup> groups = SessionProtos.groups(hello.getSlotGroupsList());
        store.insert(id, ResumeToken.hash(token), hello, config.sessionTtl());
        WorkerSession session =
                new WorkerSession(id, hello.getWorkerName(), hello.getSlotGroupsList(), stream, Set.of());
        session.welcome(welcome(id, token, false));
        connected.put(id, session);
        slots.connect(session, groups, Map.of());
        lanes.wake();
        return session;
    }

    private Optional<WorkerSession> resume(Hello hello, StreamObserver<OpenSessionResponse> stream) {
        SessionId id = SessionId.parse(hello.getSessionId());
        List<SlotGroup> groups = SessionProtos.groups(hello.getSlotGroupsList());
        byte[] tokenHash = ResumeToken.hash(hello.getResumeToken());
        if (!store.resume(id, tokenHash, hello.getSlotGroupsList(), config.sessionTtl())) {
            return Optional.empty();
        }
        Set<SessionStore.Held> held = held(hello.getHeldLeasesList());
        WorkerSession session = new WorkerSession(id, hello.getWorkerName(), hello.getSlotGroupsList(), stream, held);
        session.welcome(welcome(id, hello.getResumeToken(), true));
        Optional.ofNullable(connected.put(id, session))
                .ifPresent(before ->
                        before.end(Status.ABORTED.withDescription("The worker has resumed this session elsewhere.")));
        slots.connect(session, groups, countHeld(id, held));
        var _ = lanes.resync()
                .thenRunAsync(
                        () -> cancelWhatIsOver(session, held),
                        task -> Thread.ofVirtual().start(task));
        findJobsFor(List.of(id));
        lanes.wake();
        return Optional.of(session);
    }

    /** How many leases each group holds. Leases that the worker does not hold are forgotten here, so that they are sent to it anew. */
    private Map<String, Integer> countHeld(SessionId id, Set<SessionStore.Held> held) {
        Map<String, Integer> counts = new HashMap<>();
        for (LeasedJob lease : leases.of(id)) {
            if (held.contains(new SessionStore.Held(lease.job().id(), lease.token()))) {
                counts.merge(lease.seat().group(), 1, Integer::sum);
            } else {
                leases.remove(lease);
            }
        }
        return counts;
    }

    /** Tells the worker which of its leases were ended while it was away. Those with a result on its way are answered by the lane. */
    private void cancelWhatIsOver(WorkerSession session, Set<SessionStore.Held> held) {
        Set<SessionStore.Held> real = new HashSet<>(store.leasesOf(session.session()));
        List<Cancellation> over = new ArrayList<>();
        for (SessionStore.Held lease : held) {
            if (!real.contains(lease)) {
                over.add(new Cancellation(lease.job(), lease.token(), "The lease ended while the worker was away."));
            }
        }
        if (!over.isEmpty()) {
            session.cancel(over);
        }
    }

    /** The worker changes its room. Writes the database where slots change, for people; how many jobs may wait there changes often. */
    void resize(WorkerSession session, List<dev.millrace.proto.worker.v1.SlotGroup> groups) {
        slots.resize(session.session(), SessionProtos.groups(groups));
        if (session.changesSlots(groups)) {
            store.resize(session.session(), groups);
        }
        lanes.wake();
    }

    /** Tells the worker which of the folders it asks about are needed no more. Reads the database. */
    void endFolders(WorkerSession session, List<String> asked) {
        if (asked.size() > FOLDERS_ASKED_MAX) {
            throw new IllegalArgumentException("held_folders.group_ids: " + asked.size()
                    + " entries (expected: at most " + FOLDERS_ASKED_MAX + ")");
        }
        List<UUID> ended = groups.ended(
                session.session(), asked.stream().map(UUID::fromString).toList());
        if (!ended.isEmpty()) {
            session.endFolders(ended);
        }
    }

    /** Lets lanes look for jobs that only these sessions may run, whoever has put them into the queue. Reads the database. */
    void findJobsFor(Collection<SessionId> sessions) {
        groups.waitingFor(sessions).forEach(lanes::jobsMayWait);
    }

    /** Ends the jobs that wait for the worker of their group in vain: it was lost, or takes no such jobs. */
    void failJobsInVain() {
        groups.inVain().forEach(step -> {
            var _ = lanes.failStep(step.run(), step.stepKey(), step.why(), step.tag());
        });
    }

    /** The stream has ended; the session lives on until it is resumed or expires. */
    void disconnected(WorkerSession session) {
        session.lost();
        slots.disconnect(session);
        connected.remove(session.session(), session);
    }

    /** The worker leaves. What it could neither finish nor return goes to other workers at once. */
    void goodbye(WorkerSession session) {
        slots.disconnect(session);
        connected.remove(session.session(), session);
        if (giveBack(session.session(), session.workerName(), _ -> {}) == 0) {
            store.deleteIfEmpty(session.session());
        }
        // The worker waits for this.
        session.end(Status.OK);
    }

    /** Puts the jobs of a lost session back into the queue; {@code listener} hears once that is durable. Returns how many there were. */
    int giveBack(SessionId id, String workerName, ResultListener listener) {
        List<SessionStore.Held> held = store.leasesOf(id);
        for (SessionStore.Held lease : held) {
            lanes.attemptEnded(
                    lease.job(), lease.token(), new AttemptResult.WorkerLost(workerName), -1, workerName, listener);
        }
        return held.size();
    }

    /** The session is over: the worker must open another. */
    void expired(SessionId id) {
        Optional.ofNullable(connected.remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.FAILED_PRECONDITION.withDescription(
                    "The session has expired: no sign of life came in time. Open a new one."));
        });
        for (LeasedJob lease : leases.of(id)) {
            leases.remove(lease);
            started.ended(lease.job().id());
        }
    }

    /** Another scheduler ended this lease. */
    void leaseEnded(SessionId id, JobId job, String reason) {
        Optional.ofNullable(connected.get(id))
                .ifPresent(session -> leases.find(job).filter(leases::remove).ifPresent(lease -> {
                    slots.release(lease.seat(), 1);
                    session.cancel(List.of(new Cancellation(job, lease.token(), reason)));
                }));
    }

    Collection<WorkerSession> connected() {
        return connected.values();
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
                .build();
    }

    private static Set<SessionStore.Held> held(List<HeldLease> leases) {
        Set<SessionStore.Held> held = new HashSet<>();
        leases.forEach(lease ->
                held.add(new SessionStore.Held(JobId.parse(lease.getJobId()), new LeaseToken(lease.getLeaseToken()))));
        return held;
    }
}
