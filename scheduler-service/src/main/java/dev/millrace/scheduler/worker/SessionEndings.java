package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends of sessions and of their streams: a stream that breaks, a worker that leaves, a session that expires or moves.
 * Thread-safe.
 */
final class SessionEndings {
    private static final Logger log = LoggerFactory.getLogger(SessionEndings.class);

    /** Time for a worker to reconnect before it counts as lost, if its connection was closed without prior silence. */
    private static final Duration RECONNECT_GRACE = Duration.ofSeconds(4);
    /**
     * Number of silent heartbeats after which a broken connection counts as silent rather than closed by the worker.
     */
    private static final double HEARTBEATS_UNTIL_SILENT = 1.5;

    static final ResultListener NOBODY = _ -> {};
    static final String RESUMED_ELSEWHERE = "The worker has resumed this session elsewhere.";

    private final ConnectedSessions connected;
    private final SessionStore store;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final Leases leases;
    private final StartedJobs started;
    private final Duration heartbeatInterval;

    private volatile boolean reconnectsExpected;
    /** Whether a worker has left, so that jobs leased to it by a concurrent flush must be requeued. */
    private volatile boolean left;

    SessionEndings(
            ConnectedSessions connected,
            SessionStore store,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            Duration heartbeatInterval) {
        this.connected = connected;
        this.store = store;
        this.lanes = lanes;
        this.slots = slots;
        this.leases = leases;
        this.started = started;
        this.heartbeatInterval = heartbeatInterval;
    }

    /** Broken streams do not mean from now on that workers are lost, since this scheduler stops. */
    void expectReconnects() {
        reconnectsExpected = true;
    }

    /** Handles the end of the stream. The session continues until it is resumed or expires. */
    void disconnected(WorkerSession session) {
        session.lost();
        slots.disconnect(session);
        if (connected.byId().remove(session.session(), session)) {
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
        Lock streamLock = connected.streamChange(session.session());
        streamLock.lock();
        try {
            if (session.equals(connected.byId().getOrDefault(session.session(), session))) {
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
     * Handles a broken stream. If the process of a worker ends, the system closes its connection, so the session may
     * expire earlier than that of a silent worker. Returns whether the session expires early. Writes to the database.
     */
    boolean broken(WorkerSession session) {
        disconnected(session);
        Duration silent = Duration.ofNanos(System.nanoTime() - session.heardNanos());
        boolean closed = silent.toMillis() < HEARTBEATS_UNTIL_SILENT * heartbeatInterval.toMillis();
        if (reconnectsExpected || !closed) {
            return false;
        }
        Lock streamLock = connected.streamChange(session.session());
        streamLock.lock();
        try {
            if (connected.byId().containsKey(session.session())) {
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

    /**
     * Ends the session of a worker that leaves, and requeues at once the jobs that it could neither finish nor return.
     */
    void goodbye(WorkerSession session) {
        slots.disconnect(session);
        connected.byId().remove(session.session(), session);
        store.leave(session.session());
        var _ = giveBack(session.session(), session.workerName(), Optional.empty());
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
     * Ends an expired session as {@link #expired} does, and requeues its jobs asynchronously. When these jobs began is
     * forgotten only once their attempts are recorded. Returns the number of these jobs.
     *
     * @param begun jobs that had begun or may have begun; absent if unknown, so that any of them may have begun
     */
    int lost(SessionId id, String workerName, Optional<Set<JobId>> begun) {
        Set<JobId> gone = forget(id);
        try {
            Set<JobId> requeued = giveBack(id, workerName, begun);
            gone.removeAll(requeued);
            return requeued.size();
        } finally {
            gone.forEach(started::ended);
        }
    }

    private Set<JobId> giveBack(SessionId id, String workerName, Optional<Set<JobId>> begun) {
        List<LeaseKey> held = store.leasesOf(List.of(id));
        for (LeaseKey lease : held) {
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
        return held.stream().map(LeaseKey::job).collect(Collectors.toSet());
    }

    /** Ends an expired session. The worker must open a new one. */
    void expired(SessionId id) {
        forget(id).forEach(started::ended);
    }

    /** Ends the stream of an expired session. Returns the jobs whose leases this scheduler knew. */
    private Set<JobId> forget(SessionId id) {
        Optional.ofNullable(connected.byId().remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.FAILED_PRECONDITION.withDescription(
                    "The session has expired because the worker sent no heartbeat in time. Open a new session."));
        });
        Set<JobId> jobs = new HashSet<>();
        for (LeasedJob lease : leases.of(id)) {
            leases.forget(lease.key());
            jobs.add(lease.job().id());
        }
        return jobs;
    }

    /**
     * Forgets the leases of sessions whose stream broke here, and that have gone on or ended at another scheduler since:
     * nobody tells this one. Reads the database if there may be any.
     */
    void forgetGone() {
        Set<SessionId> apart = leases.sessions();
        apart.removeAll(connected.byId().keySet());
        if (apart.isEmpty()) {
            return;
        }
        apart.removeAll(store.concerns(apart));
        for (SessionId id : apart) {
            Lock streamLock = connected.streamChange(id);
            streamLock.lock();
            try {
                if (!connected.byId().containsKey(id)) {
                    leases.of(id).forEach(lease -> {
                        leases.forget(lease.key());
                        started.ended(lease.job().id());
                    });
                }
            } finally {
                streamLock.unlock();
            }
        }
    }

    /** Drops a session that its worker has resumed on another scheduler. */
    void moved(SessionId id) {
        Optional.ofNullable(connected.byId().remove(id)).ifPresent(session -> {
            slots.disconnect(session);
            session.end(Status.ABORTED.withDescription(RESUMED_ELSEWHERE));
        });
        leases.of(id).forEach(lease -> leases.forget(lease.key()));
    }
}
