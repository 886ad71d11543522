package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.affinity.FailStep;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.error.MillraceException;
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
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens, resumes and closes the sessions that are connected to this scheduler. Thread-safe. */
final class Sessions {
    private static final Logger log = LoggerFactory.getLogger(Sessions.class);
    /** Maximum number of folders that a worker may ask about at a time. */
    private static final int FOLDERS_ASKED_MAX = 10_000;

    /** Time for a worker to reconnect before it counts as lost, if its connection was closed without prior silence. */
    private static final Duration RECONNECT_GRACE = Duration.ofSeconds(4);
    /**
     * Number of silent heartbeats after which a broken connection counts as silent rather than closed by the worker.
     */
    private static final double HEARTBEATS_UNTIL_SILENT = 1.5;

    static final ResultListener NOBODY = _ -> {};
    private static final String RESUMED_ELSEWHERE = "The worker has resumed this session elsewhere.";

    /** Enough locks that sessions seldom wait for one another; each wait lasts one write. */
    private static final int STREAM_LOCKS = 64;

    private final SessionStore store;
    private final GroupStore groups;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final Leases leases;
    private final StartedJobs started;
    private final IdSource ids;
    private final WorkspaceDirectory workspaces;
    private final LeaseReturn returns;
    private final WorkerConfig config;
    private final LimitConfig limits;
    private final Scripts scripts;
    private final int lossesMax;
    private final Tracing tracing;
    private final Map<SessionId, WorkerSession> connected = new ConcurrentHashMap<>();
    private final Lock[] streamChanges =
            Stream.generate(ReentrantLock::new).limit(STREAM_LOCKS).toArray(Lock[]::new);
    private final LeaseComparison comparison;

    private volatile boolean draining;
    /** Whether a worker has left, so that jobs leased to it by a concurrent flush must be requeued. */
    private volatile boolean left;

    Sessions(
            SessionStore store,
            GroupStore groups,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            IdSource ids,
            WorkspaceDirectory workspaces,
            WorkerConfig config,
            LimitConfig limits,
            Scripts scripts,
            int lossesMax,
            Tracing tracing) {
        this.store = store;
        this.groups = groups;
        this.lanes = lanes;
        this.slots = slots;
        this.leases = leases;
        this.started = started;
        this.ids = ids;
        this.workspaces = workspaces;
        this.returns = new LeaseReturn(workspaces, lanes);
        this.config = config;
        this.limits = limits;
        this.scripts = scripts;
        this.lossesMax = lossesMax;
        this.tracing = tracing;
        this.comparison = new LeaseComparison(store, leases, slots, started, lanes, connected);
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
        List<SlotGroup> groups = groups(hello.getSlotGroupsList(), access.worker());
        store.insert(id, ResumeToken.hash(token), access, hello, config.sessionTtl());
        WorkerSession session = new WorkerSession(
                id,
                hello.getWorkerName(),
                hello.getSlotGroupsList(),
                stream,
                pace,
                Set.of(),
                access.worker(),
                new LeaseMessages(returns, scripts, lossesMax, tracing));
        session.wantVersionChanges(hello.getWantsVersionChanges());
        session.welcome(welcome(id, token, false));
        connected.put(id, session);
        slots.connect(session, groups, Map.of());
        offer(session);
        lanes.wake();
        return session;
    }

    private Optional<WorkerSession> resume(
            Hello hello, Access access, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        SessionId id = SessionId.parse(hello.getSessionId());
        List<SlotGroup> groups = groups(hello.getSlotGroupsList(), access.worker());
        byte[] tokenHash = ResumeToken.hash(hello.getResumeToken());
        Set<SessionStore.Held> held = held(hello.getHeldLeasesList());
        WorkerSession session = new WorkerSession(
                id,
                hello.getWorkerName(),
                hello.getSlotGroupsList(),
                stream,
                pace,
                held,
                access.worker(),
                new LeaseMessages(returns, scripts, lossesMax, tracing));
        session.wantVersionChanges(hello.getWantsVersionChanges());
        Lock streamLock = streamChange(id);
        streamLock.lock();
        try {
            Optional<UUID> credential = access.caller().credential();
            if (!store.resume(id, tokenHash, credential, hello.getSlotGroupsList(), config.sessionTtl())) {
                return Optional.empty();
            }
            session.welcome(welcome(id, hello.getResumeToken(), true));
            Optional.ofNullable(connected.put(id, session))
                    .ifPresent(before -> before.end(Status.ABORTED.withDescription(RESUMED_ELSEWHERE)));
        } finally {
            streamLock.unlock();
        }
        slots.connect(session, groups, countHeld(id, held));
        offer(session);
        try {
            findJobsFor(List.of(id));
        } catch (RuntimeException failure) {
            // The stream ends with this exception. If the session stayed registered, it would obstruct the next
            // attempt.
            disconnected(session);
            throw failure;
        }
        var _ = lanes.resync()
                .thenRunAsync(
                        () -> cancelWhatIsOver(session, held),
                        task -> Thread.ofVirtual().start(task));
        lanes.wake();
        return Optional.of(session);
    }

    /** Counts the leases of each group. Forgets leases that the worker does not hold, so that they are sent again. */
    private Map<String, Integer> countHeld(SessionId id, Set<SessionStore.Held> held) {
        Map<String, Integer> counts = new HashMap<>();
        for (LeasedJob lease : leases.of(id)) {
            if (held.contains(new SessionStore.Held(lease.job().id(), lease.token()))) {
                counts.merge(lease.slot().group(), 1, Integer::sum);
            } else {
                leases.remove(lease);
            }
        }
        return counts;
    }

    /**
     * Tells the worker which of its leases ended while it was disconnected. The lane answers those with a result on the
     * way.
     */
    private void cancelWhatIsOver(WorkerSession session, Set<SessionStore.Held> held) {
        Set<SessionStore.Held> real = new HashSet<>(store.leasesOf(List.of(session.session())));
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

    /**
     * Changes the slot groups of a worker. Writes to the database only if numbers of slots or pause reasons change,
     * because prefetch changes often.
     */
    void resize(WorkerSession session, List<dev.millrace.proto.worker.v1.SlotGroup> groups) {
        boolean changed;
        synchronized (session) {
            slots.resize(session.session(), groups(groups, session.scope()));
            changed = session.changesSlots(groups);
        }
        if (changed) {
            store.resize(session.session(), groups);
        }
        lanes.wake();
    }

    /**
     * Offers the slots of all workers for the jobs that they may take, because workspaces have changed. Writes to the
     * database if a worker has waited for a workspace that is new.
     */
    void workspacesChanged() {
        try {
            connected.values().stream().map(WorkerSession::scope).distinct().forEach(workspaces::prepareFor);
        } catch (MillraceException failure) {
            // The worker waits until workspaces change again; others must not.
            log.atWarn().setCause(failure).log("Workers that wait for a new workspace cannot serve it yet");
        }
        connected.values().forEach(this::offer);
        lanes.wake();
    }

    /**
     * Offers the slots of a worker for the jobs that it may take. A session that has just connected needs this, too: if
     * workspaces changed meanwhile, it was not among those that learned of it.
     */
    private void offer(WorkerSession session) {
        synchronized (session) {
            slots.resize(session.session(), groups(session.groups(), session.scope()));
        }
    }

    private List<SlotGroup> groups(List<dev.millrace.proto.worker.v1.SlotGroup> groups, WorkerScope scope) {
        return SessionProtos.groups(groups, tags -> workspaces.tagsFor(tags, scope));
    }

    /** Number of processes that the connected workers report, by language and state. */
    Map<List<String>, Integer> processes() {
        Map<List<String>, Integer> counts = new HashMap<>();
        connected.values().forEach(session -> ReportedProcesses.count(session.reported(), counts));
        return counts;
    }

    /** Notes the processes that a worker reports with its heartbeat, and answers it. Does not wait. */
    void heartbeat(WorkerSession session, Heartbeat heartbeat) {
        session.report(ReportedProcesses.checked(
                heartbeat.getProcesses(), workspace -> workspaces.mayServe(workspace, session.scope())));
        session.answer(heartbeat);
    }

    /** Tells the worker which of the folders it asks about are no longer needed. Reads the database. */
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

    /**
     * Makes lanes look for jobs that only these sessions may run, whichever scheduler has enqueued them. Reads the
     * database.
     */
    void findJobsFor(Collection<SessionId> sessions) {
        groups.waitingFor(sessions).forEach(lanes::jobsMayWait);
    }

    /** Fails the jobs whose group will never get its worker, because it was lost or does not serve their tags. */
    void failJobsInVain() {
        for (GroupStore.InVain step : groups.inVain()) {
            CompletableFuture<Void> _ = lanes.demand(
                    step.run(), done -> FailStep.of(step.run(), step.stepKey(), step.why(), step.tag(), done));
        }
    }

    /** Handles the end of the stream. The session continues until it is resumed or expires. */
    void disconnected(WorkerSession session) {
        session.lost();
        slots.disconnect(session);
        if (connected.remove(session.session(), session)) {
            Thread.ofVirtual().start(() -> noteBegun(session));
        }
    }

    /**
     * Records which jobs of a silent session had begun, for whoever ends the session. Reads the leases in memory and
     * writes to the database, once per silence. If the write fails, all jobs of the session count as begun.
     */
    void noteBegun(WorkerSession session) {
        if (!session.beginsToNoteBegun()) {
            return;
        }
        List<LeasedJob> held = leases.of(session.session());
        if (held.isEmpty()) {
            // The session has no leases, or they are not known here.
            return;
        }
        Set<JobId> begun = BegunJobs.of(held, job -> started.startOf(job).isPresent(), session::slotsMax);
        Lock streamLock = streamChange(session.session());
        streamLock.lock();
        try {
            if (session.equals(connected.getOrDefault(session.session(), session))) {
                store.noteBegun(session.session(), begun);
            }
        } catch (MillraceException databaseAway) {
            log.atWarn()
                    .addKeyValue("worker", session.workerName())
                    .setCause(databaseAway)
                    .log("Could not record which jobs of a worker had begun; all of them will count its loss");
        } finally {
            streamLock.unlock();
        }
    }

    /**
     * Returns the lock that is held while the beginning or end of a session's stream is recorded in the database and in
     * memory. Without it, the end of one stream could be recorded after the beginning of the next. Jobs that begin on
     * the new stream would then count as not begun.
     */
    private Lock streamChange(SessionId session) {
        return streamChanges[Math.floorMod(session.hashCode(), streamChanges.length)];
    }

    /**
     * Handles a broken stream. If the process of a worker ends, the system closes its connection, so the session may
     * expire earlier than that of a silent worker. Returns whether the session expires early. Writes to the database.
     */
    boolean broken(WorkerSession session) {
        disconnected(session);
        Duration silent = Duration.ofNanos(System.nanoTime() - session.heardNanos());
        boolean closed = silent.toMillis()
                < HEARTBEATS_UNTIL_SILENT * config.heartbeatInterval().toMillis();
        if (draining || !closed) {
            return false;
        }
        Lock streamLock = streamChange(session.session());
        streamLock.lock();
        try {
            if (connected.containsKey(session.session())) {
                return false;
            }
            store.shorten(session.session(), RECONNECT_GRACE);
            return true;
        } catch (MillraceException databaseAway) {
            log.atInfo()
                    .addKeyValue("session", session.session())
                    .setCause(databaseAway)
                    .log("A session with a broken stream expires at its usual time");
            return false;
        } finally {
            streamLock.unlock();
        }
    }

    /** Tells those workers that keep processes for current versions that these may have changed. */
    void versionsChanged() {
        connected.values().forEach(WorkerSession::versionsChanged);
    }

    /** Prepares for the stop of this scheduler. From now on, broken streams do not mean that workers are lost. */
    void drain() {
        draining = true;
        connected.values().forEach(WorkerSession::drain);
    }

    /** Compares the leases of sessions connected here with the database; see {@link LeaseComparison#compare}. */
    boolean compareLeases(Collection<SessionId> sessions) {
        return comparison.compare(sessions);
    }

    /**
     * Ends the session of a worker that leaves, and requeues at once the jobs that it could neither finish nor return.
     */
    void goodbye(WorkerSession session) {
        slots.disconnect(session);
        connected.remove(session.session(), session);
        store.leave(session.session());
        giveBack(session.session(), session.workerName(), Optional.empty());
        left = true;
        // The worker waits for the end of the stream.
        session.end(Status.OK);
    }

    /** Returns whether a worker has left since the last call. */
    boolean takeLeft() {
        boolean was = left;
        left = false;
        return was;
    }

    /**
     * Requeues the jobs of an ended session asynchronously. Returns the number of these jobs.
     *
     * @param begun jobs that had begun or may have begun; absent if unknown, so that any of them may have begun
     */
    int giveBack(SessionId id, String workerName, Optional<Set<JobId>> begun) {
        List<SessionStore.Held> held = store.leasesOf(List.of(id));
        for (SessionStore.Held lease : held) {
            boolean mayHaveBegun = begun.map(jobs -> jobs.contains(lease.job())).orElse(true);
            lanes.attemptEnded(
                    lease.job(),
                    lease.token(),
                    new AttemptResult.WorkerLost(workerName, mayHaveBegun),
                    -1,
                    workerName,
                    NOBODY,
                    0);
        }
        return held.size();
    }

    /** Ends an expired session. The worker must open a new one. */
    void expired(SessionId id) {
        Optional.ofNullable(connected.remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.FAILED_PRECONDITION.withDescription(
                    "The session has expired because the worker sent no heartbeat in time. Open a new session."));
        });
        for (LeasedJob lease : leases.of(id)) {
            leases.remove(lease);
            started.ended(lease.job().id());
        }
    }

    /** Drops a session that its worker has resumed on another scheduler. */
    void moved(SessionId id) {
        Optional.ofNullable(connected.remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.ABORTED.withDescription(RESUMED_ELSEWHERE));
        });
        leases.of(id).forEach(leases::remove);
    }

    /** Tells a worker to end at once, if it is connected to this scheduler. */
    void kill(SessionId id) {
        Optional.ofNullable(connected.get(id)).ifPresent(WorkerSession::kill);
    }

    /** Handles a lease that another scheduler has ended. */
    void leaseEnded(SessionId id, JobId job, String reason) {
        if (connected.containsKey(id)) {
            leases.find(job).ifPresent(lease -> comparison.leaseEnded(lease, reason));
        }
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
                .setTellsVersionChanges(true)
                .build();
    }

    private static Set<SessionStore.Held> held(List<HeldLease> leases) {
        Set<SessionStore.Held> held = new HashSet<>();
        leases.forEach(lease ->
                held.add(new SessionStore.Held(JobId.parse(lease.getJobId()), new LeaseToken(lease.getLeaseToken()))));
        return held;
    }
}
