package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sessions connected to this scheduler alive, and ends expired sessions of any scheduler.
 *
 * <p>The jobs of an ended session are requeued through the lanes, fenced by their tokens, so any number of keepers may
 * do so. Jobs that only that session could have run fail. Periods in which no scheduler kept sessions alive do not
 * count as silence; see {@link SessionStore#watch}.
 *
 * <p>The keeper also compares the leases of its sessions with the database. This heals leases and revocations that
 * never reached a worker.
 */
final class SessionKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
    private static final int WRITES_PER_TTL = 4;
    /** If no scheduler has written for this many intervals, no scheduler was able to. */
    private static final int MISSED_WRITES_MAX = 2;
    /**
     * A difference between memory and database counts only if it persists for this time. Before that, it may be a batch
     * that has just committed.
     */
    private static final Duration SECOND_LOOK_AFTER = Duration.ofSeconds(1);
    /** Shortest pause, in case the clocks disagree on whether a session has expired. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);

    private final SessionStore store;
    private final Sessions sessions;
    private final Duration ttl;
    private final Duration interval;
    private final Duration gapMax;
    private final Loop loop;
    /** Whether ended sessions may still hold jobs. Only the loop uses this field. */
    private boolean mayHaveEnded = true;

    SessionKeeper(SessionStore store, Sessions sessions, WorkerConfig config) {
        this.store = store;
        this.sessions = sessions;
        this.ttl = config.sessionTtl();
        this.interval = ttl.dividedBy(WRITES_PER_TTL);
        this.gapMax = interval.multipliedBy(MISSED_WRITES_MAX);
        this.loop = Loop.of("session-keeper", this::runOnce);
    }

    /**
     * Starts to keep and end sessions. Looks for an outage first, so that a connection that breaks from now on counts as
     * broken, and its session does not live on as those that nobody could keep.
     */
    void start() {
        store.watch(gapMax, ttl);
        loop.start();
    }

    /** Runs the loop soon, because a session may expire early or a notification may have been missed. */
    void wake() {
        loop.wake();
    }

    private Duration runOnce() {
        List<SessionId> kept = keepAlive(System.nanoTime());
        // Watch only after the sessions have been extended: a keeper that cannot extend them has kept none alive.
        store.watch(gapMax, ttl);
        boolean lookAgain = sessions.compareLeases(kept);
        List<SessionStore.Ended> lost = store.end(gapMax);
        lost.forEach(session -> log.atWarn()
                .addKeyValue("worker", session.workerName())
                .addKeyValue("session", session.id())
                .log("A worker was lost; its jobs are requeued"));
        if (mayHaveEnded || !lost.isEmpty() || sessions.endings().takeLeft()) {
            List<SessionStore.Ended> ended = store.ended();
            ended.forEach(this::giveBack);
            mayHaveEnded = !ended.isEmpty();
        }
        sessions.endings().forgetGone();
        sessions.failJobsInVain();
        Duration next = lookAgain && SECOND_LOOK_AFTER.compareTo(interval) < 0 ? SECOND_LOOK_AFTER : interval;
        return store.untilNextExpiry()
                .filter(expiry -> expiry.compareTo(next) < 0)
                .map(expiry -> expiry.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : expiry)
                .orElse(next);
    }

    /**
     * Extends the sessions that have shown a sign of life, each from its last sign. Returns the sessions that continue
     * here.
     */
    private List<SessionId> keepAlive(long now) {
        Map<SessionId, SessionStore.Keep> alive = new LinkedHashMap<>();
        sessions.connected().forEach(session -> {
            session.showLifeWhileUnread();
            Duration left = ttl.minusNanos(now - session.heardNanos());
            if (left.isPositive()) {
                session.keptAlive();
                alive.put(
                        session.session(),
                        new SessionStore.Keep(
                                session.session(), left, sessions.offers().occupancy(session)));
            } else {
                sessions.endings().noteBegun(session);
            }
        });
        if (alive.isEmpty()) {
            return List.of();
        }
        Map<SessionId, Boolean> drained = store.extend(alive.values());
        sessions.offers().drain(drained);
        List<SessionId> extended = List.copyOf(drained.keySet());
        List<SessionId> gone = alive.keySet().stream()
                .filter(session -> !extended.contains(session))
                .toList();
        if (!gone.isEmpty()) {
            List<SessionId> elsewhere = store.alive(gone);
            gone.forEach(session -> {
                if (elsewhere.contains(session)) {
                    sessions.endings().moved(session);
                } else {
                    sessions.endings().expired(session);
                }
            });
        }
        sessions.findJobsFor(extended);
        storeReports(extended);
        return extended;
    }

    /** Stores what has changed about the processes of the workers; nothing for workers that are idle. */
    private void storeReports(List<SessionId> extended) {
        Map<SessionId, ProcessReport> changed = new LinkedHashMap<>();
        sessions.connected().stream()
                .filter(session -> extended.contains(session.session()))
                .forEach(session -> session.takeReport().ifPresent(report -> changed.put(session.session(), report)));
        if (!changed.isEmpty()) {
            store.report(changed);
        }
    }

    private void giveBack(SessionStore.Ended session) {
        if (sessions.endings().lost(session.id(), session.workerName(), session.begun()) == 0) {
            store.deleteIfEmpty(session.id());
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
