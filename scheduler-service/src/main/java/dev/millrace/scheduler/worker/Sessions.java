package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Welcome;
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
    /** Most folders that a worker may ask about at a time. */
    private static final int FOLDERS_ASKED_MAX = 10_000;

    /** How long a worker whose connection was closed, and which did not go silent first, has to connect anew before it counts as lost. */
    private static final Duration RECONNECT_GRACE = Duration.ofSeconds(4);
    /** A connection that was silent for longer than this many heartbeats was not closed by the worker, but given up. */
    private static final double HEARTBEATS_UNTIL_SILENT = 1.5;

    private static final ResultListener NOBODY = _ -> {};
    private static final String RESUMED_ELSEWHERE = "The worker has resumed this session elsewhere.";

    /** So many that sessions seldom wait for one another, each for a write. */
    private static final int STREAM_LOCKS = 64;

    private final SessionStore store;
    private final GroupStore groups;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final Leases leases;
    private final StartedJobs started;
    private final IdSource ids;
    private final WorkerConfig config;
    private final LimitConfig limits;
    private final int lossesMax;
    private final Map<SessionId, WorkerSession> connected = new ConcurrentHashMap<>();
    private final Lock[] streamChanges =
            Stream.generate(ReentrantLock::new).limit(STREAM_LOCKS).toArray(Lock[]::new);
    /** Leases about which memory and database disagreed at the last look. Belongs to the keeper's loop. */
    private Set<SessionStore.Held> doubtful = Set.of();

    private volatile boolean draining;
    /** Whether a worker has left: what a flush under way has leased to it meanwhile is to be given back. */
    private volatile boolean left;

    Sessions(
            SessionStore store,
            GroupStore groups,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            IdSource ids,
            WorkerConfig config,
            LimitConfig limits,
            int lossesMax) {
        this.store = store;
        this.groups = groups;
        this.lanes = lanes;
        this.slots = slots;
        this.leases = leases;
        this.started = started;
        this.ids = ids;
        this.config = config;
        this.limits = limits;
        this.lossesMax = lossesMax;
    }

    /** Opens the session that the worker asks for, or a new one where that is over. Reads and writes the database. */
    WorkerSession open(Hello hello, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        return hello.getSessionId().isEmpty()
                ? openNew(hello, stream, pace)
                : resume(hello, stream, pace).orElseGet(() -> openNew(hello, stream, pace));
    }

    private WorkerSession openNew(Hello hello, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        SessionId id = new SessionId(ids.nextUuid());
        String token = ResumeToken.make();
        List<SlotGroup> groups = SessionProtos.groups(hello.getSlotGroupsList());
        store.insert(id, ResumeToken.hash(token), hello, config.sessionTtl());
        WorkerSession session = new WorkerSession(
                id, hello.getWorkerName(), hello.getSlotGroupsList(), stream, pace, Set.of(), lossesMax);
        session.welcome(welcome(id, token, false));
        connected.put(id, session);
        slots.connect(session, groups, Map.of());
        lanes.wake();
        return session;
    }

    private Optional<WorkerSession> resume(Hello hello, StreamObserver<OpenSessionResponse> stream, StreamPace pace) {
        SessionId id = SessionId.parse(hello.getSessionId());
        List<SlotGroup> groups = SessionProtos.groups(hello.getSlotGroupsList());
        byte[] tokenHash = ResumeToken.hash(hello.getResumeToken());
        Set<SessionStore.Held> held = held(hello.getHeldLeasesList());
        WorkerSession session =
                new WorkerSession(id, hello.getWorkerName(), hello.getSlotGroupsList(), stream, pace, held, lossesMax);
        Lock stays = streamChange(id);
        stays.lock();
        try {
            if (!store.resume(id, tokenHash, hello.getSlotGroupsList(), config.sessionTtl())) {
                return Optional.empty();
            }
            session.welcome(welcome(id, hello.getResumeToken(), true));
            Optional.ofNullable(connected.put(id, session))
                    .ifPresent(before -> before.end(Status.ABORTED.withDescription(RESUMED_ELSEWHERE)));
        } finally {
            stays.unlock();
        }
        slots.connect(session, groups, countHeld(id, held));
        try {
            findJobsFor(List.of(id));
        } catch (RuntimeException failure) {
            // Its stream ends with this: kept, it would stand in the way of the next attempt.
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

    /** How many leases each group holds. Leases that the worker does not hold are forgotten here, so that they are sent to it anew. */
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

    /** Tells the worker which of its leases were ended while it was away. Those with a result on its way are answered by the lane. */
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
        for (GroupStore.InVain step : groups.inVain()) {
            CompletableFuture<Void> _ = lanes.demand(
                    step.run(), done -> FailStep.of(step.run(), step.stepKey(), step.why(), step.tag(), done));
        }
    }

    /** The stream has ended; the session lives on until it is resumed or expires. */
    void disconnected(WorkerSession session) {
        session.lost();
        slots.disconnect(session);
        if (connected.remove(session.session(), session)) {
            Thread.ofVirtual().start(() -> noteBegun(session));
        }
    }

    /**
     * Records which jobs of a session that is no longer heard had begun, for whoever ends it. Reads leases in memory and writes the database, once for
     * the session. Where it fails, all jobs of the session count as begun.
     */
    void noteBegun(WorkerSession session) {
        if (!session.beginsToNoteBegun()) {
            return;
        }
        List<LeasedJob> held = leases.of(session.session());
        if (held.isEmpty()) {
            // Its leases are not known here, or there are none.
            return;
        }
        Set<JobId> begun = BegunJobs.of(held, job -> started.startOf(job).isPresent(), session::slotsMax);
        Lock stays = streamChange(session.session());
        stays.lock();
        try {
            if (session.equals(connected.getOrDefault(session.session(), session))) {
                store.noteBegun(session.session(), begun);
            }
        } catch (MillraceException databaseAway) {
            log.atWarn()
                    .addKeyValue("worker", session.workerName())
                    .setCause(databaseAway)
                    .log("It could not be recorded which jobs of a worker had begun; all will count its loss");
        } finally {
            stays.unlock();
        }
    }

    /**
     * Held while the database is told that the stream of a session has begun or ended, and until it is known here: else the end of one stream could be
     * told after the begin of the next, and what begins then would count as not begun.
     */
    private Lock streamChange(SessionId session) {
        return streamChanges[Math.floorMod(session.hashCode(), streamChanges.length)];
    }

    /**
     * The stream was broken. A worker whose process has ended is noticed by its connection, which the system closes: it need not be waited for as
     * long as one that is silent. Returns whether the session expires early. Writes the database.
     */
    boolean broken(WorkerSession session) {
        disconnected(session);
        Duration silent = Duration.ofNanos(System.nanoTime() - session.heardNanos());
        boolean closed = silent.toMillis()
                < HEARTBEATS_UNTIL_SILENT * config.heartbeatInterval().toMillis();
        if (draining || !closed) {
            return false;
        }
        Lock stays = streamChange(session.session());
        stays.lock();
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
                    .log("A session whose stream broke expires in its usual time");
            return false;
        } finally {
            stays.unlock();
        }
    }

    /** This scheduler is about to stop: it is the one that breaks streams from now on. */
    void drain() {
        draining = true;
        connected.values().forEach(WorkerSession::drain);
    }

    /**
     * Compares the leases of sessions connected here with the database, and heals what differs at two looks in a row: a lease that was never sent is
     * sent, and the worker is told of one that has ended. Returns whether something differs now. Reads the database.
     */
    boolean compareLeases(Collection<SessionId> sessions) {
        Map<SessionStore.Held, LeasedJob> believed = new HashMap<>();
        for (LeasedJob lease : leases.of(Set.copyOf(sessions))) {
            believed.put(new SessionStore.Held(lease.job().id(), lease.token()), lease);
        }
        Set<SessionStore.Held> real = sessions.isEmpty() ? Set.of() : new HashSet<>(store.leasesOf(sessions));
        Set<SessionStore.Held> differing = new HashSet<>();
        boolean unsent = false;
        for (SessionStore.Held lease : real) {
            if (leases.find(lease.job())
                    .filter(known -> known.token().equals(lease.token()))
                    .isEmpty()) {
                differing.add(lease);
                unsent |= doubtful.contains(lease);
            }
        }
        believed.forEach((held, lease) -> {
            if (!real.contains(held)) {
                differing.add(held);
                if (doubtful.contains(held)) {
                    leaseEnded(
                            lease,
                            "The lease has ended: the run was canceled, or the job was given to another worker.");
                }
            }
        });
        if (unsent) {
            var _ = lanes.resync();
        }
        doubtful = differing;
        return !differing.isEmpty();
    }

    private void leaseEnded(LeasedJob lease, String reason) {
        if (leases.remove(lease)) {
            slots.release(lease.slot(), 1);
            started.ended(lease.job().id());
            Optional.ofNullable(connected.get(lease.slot().session()))
                    .ifPresent(session ->
                            session.cancel(List.of(new Cancellation(lease.job().id(), lease.token(), reason))));
        }
    }

    /** The worker leaves. What it could neither finish nor return goes to other workers at once. */
    void goodbye(WorkerSession session) {
        slots.disconnect(session);
        connected.remove(session.session(), session);
        store.leave(session.session());
        giveBack(session.session(), session.workerName(), Optional.empty());
        left = true;
        // The worker waits for this.
        session.end(Status.OK);
    }

    /** Whether a worker has left since the last call. */
    boolean takeLeft() {
        boolean was = left;
        left = false;
        return was;
    }

    /**
     * Puts the jobs of a session that has ended back into the queue, soon. Returns how many there were.
     *
     * @param begun those that had begun or may have; absent where nobody knows, so that all may have
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

    /** Another scheduler holds the session: its worker has resumed it there. */
    void moved(SessionId id) {
        Optional.ofNullable(connected.remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.ABORTED.withDescription(RESUMED_ELSEWHERE));
        });
        leases.of(id).forEach(leases::remove);
    }

    /** Another scheduler ended this lease. */
    void leaseEnded(SessionId id, JobId job, String reason) {
        if (connected.containsKey(id)) {
            leases.find(job).ifPresent(lease -> leaseEnded(lease, reason));
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
                .build();
    }

    private static Set<SessionStore.Held> held(List<HeldLease> leases) {
        Set<SessionStore.Held> held = new HashSet<>();
        leases.forEach(lease ->
                held.add(new SessionStore.Held(JobId.parse(lease.getJobId()), new LeaseToken(lease.getLeaseToken()))));
        return held;
    }
}
