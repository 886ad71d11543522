package dev.millrace.scheduler.worker;

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
 * Keeps the sessions connected here alive, and ends the sessions of whichever scheduler whose time is over: their jobs go back to the queue
 * through the lanes, fenced by their tokens, so that any number of keepers may do the same. What only such a session could have run fails.
 * Time during which no scheduler kept sessions does not count against them: see {@link SessionStore#watch}.
 *
 * <p>On the way the keeper compares the leases of its sessions with the database, which heals what was never told to a worker.
 */
final class SessionKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
    private static final int WRITES_PER_TTL = 4;
    /** If no scheduler has written for this many intervals, none could. */
    private static final int MISSED_WRITES_MAX = 2;
    /** A difference between memory and database counts only if it is still there after this time: until then it may be a batch just committed. */
    private static final Duration SECOND_LOOK_AFTER = Duration.ofSeconds(1);
    /** Shortest pause, should the clocks disagree on whether a session has expired. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);

    private final SessionStore store;
    private final Sessions sessions;
    private final Duration ttl;
    private final Duration interval;
    private final Duration gapMax;
    private final Loop loop;
    /** Whether there may be sessions that have ended and still hold jobs. Belongs to the loop. */
    private boolean mayHaveEnded = true;

    private SessionKeeper(SessionStore store, Sessions sessions, WorkerConfig config) {
        this.store = store;
        this.sessions = sessions;
        this.ttl = config.sessionTtl();
        this.interval = ttl.dividedBy(WRITES_PER_TTL);
        this.gapMax = interval.multipliedBy(MISSED_WRITES_MAX);
        this.loop = Loop.of("session-keeper", this::runOnce);
    }

    static SessionKeeper start(SessionStore store, Sessions sessions, WorkerConfig config) {
        SessionKeeper keeper = new SessionKeeper(store, sessions, config);
        keeper.loop.start();
        return keeper;
    }

    /** Looks soon: a session may expire early, or something may have been missed. */
    void wake() {
        loop.wake();
    }

    private Duration runOnce() {
        List<SessionId> kept = keepAlive(System.nanoTime());
        // After the sessions are extended: a keeper that cannot do that has kept none.
        store.watch(gapMax, ttl);
        boolean lookAgain = sessions.compareLeases(kept);
        List<SessionStore.Ended> lost = store.end(gapMax);
        lost.forEach(session -> log.atWarn()
                .addKeyValue("worker", session.workerName())
                .addKeyValue("session", session.id())
                .log("A worker is lost; its jobs go back to the queue"));
        if (mayHaveEnded || !lost.isEmpty() || sessions.takeLeft()) {
            List<SessionStore.Ended> ended = store.ended();
            ended.forEach(this::giveBack);
            mayHaveEnded = !ended.isEmpty();
        }
        sessions.failJobsInVain();
        Duration next = lookAgain && SECOND_LOOK_AFTER.compareTo(interval) < 0 ? SECOND_LOOK_AFTER : interval;
        return store.untilNextExpiry()
                .filter(expiry -> expiry.compareTo(next) < 0)
                .map(expiry -> expiry.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : expiry)
                .orElse(next);
    }

    /** Extends the sessions from which a sign of life came, each counted from its last one; returns those that live on here. */
    private List<SessionId> keepAlive(long now) {
        Map<SessionId, Duration> alive = new LinkedHashMap<>();
        sessions.connected().forEach(session -> {
            session.showLifeWhileUnread();
            Duration left = ttl.minusNanos(now - session.heardNanos());
            if (left.isPositive()) {
                session.keptAlive();
                alive.put(session.session(), left);
            } else {
                sessions.noteBegun(session);
            }
        });
        if (alive.isEmpty()) {
            return List.of();
        }
        List<SessionId> extended = store.extend(alive);
        List<SessionId> gone = alive.keySet().stream()
                .filter(session -> !extended.contains(session))
                .toList();
        if (!gone.isEmpty()) {
            List<SessionId> elsewhere = store.alive(gone);
            gone.forEach(session -> {
                if (elsewhere.contains(session)) {
                    sessions.moved(session);
                } else {
                    sessions.expired(session);
                }
            });
        }
        sessions.findJobsFor(extended);
        return extended;
    }

    private void giveBack(SessionStore.Ended session) {
        sessions.expired(session.id());
        if (sessions.giveBack(session.id(), session.workerName(), session.begun()) == 0) {
            store.deleteIfEmpty(session.id());
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
