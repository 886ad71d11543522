package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the signs of life of the sessions connected here, in one statement, and ends the sessions of whichever scheduler whose time is
 * over: their jobs go back to the queue through the lanes, fenced by their tokens, so that any number of keepers may do the same. What only such a
 * session could have run fails.
 * After a start, and after the database was away, it waits one time to live before it ends any, so that workers can reconnect.
 */
final class SessionKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
    private static final int WRITES_PER_TTL = 4;

    private final SessionStore store;
    private final Sessions sessions;
    private final WorkerConfig config;
    private final Duration interval;
    private final Loop loop;
    private long lastRunNanos = System.nanoTime();
    private long sweepFromNanos;

    private SessionKeeper(SessionStore store, Sessions sessions, WorkerConfig config) {
        this.store = store;
        this.sessions = sessions;
        this.config = config;
        this.interval = config.sessionTtl().dividedBy(WRITES_PER_TTL);
        this.sweepFromNanos = System.nanoTime() + config.sessionTtl().toNanos();
        this.loop = Loop.start("session-keeper", interval, this::runOnce);
    }

    static SessionKeeper start(SessionStore store, Sessions sessions, WorkerConfig config) {
        return new SessionKeeper(store, sessions, config);
    }

    private void runOnce() {
        long now = System.nanoTime();
        boolean pausedTooLong = now - lastRunNanos > config.sessionTtl().toNanos();
        if (pausedTooLong) {
            // This process was stopped, or the database away: the sessions could not be kept alive.
            sweepFromNanos = now + config.sessionTtl().toNanos();
        }
        keepAlive(now);
        if (now - sweepFromNanos >= 0) {
            store.expired().forEach(this::end);
            sessions.failJobsInVain();
        }
        lastRunNanos = now;
    }

    private void keepAlive(long now) {
        List<SessionId> alive = sessions.connected().stream()
                .filter(session ->
                        now - session.heardNanos() < config.sessionTtl().toNanos())
                .map(WorkerSession::session)
                .toList();
        if (alive.isEmpty()) {
            return;
        }
        List<SessionId> extended = store.extend(alive, config.sessionTtl());
        alive.stream().filter(session -> !extended.contains(session)).forEach(sessions::expired);
        sessions.findJobsFor(extended);
    }

    private void end(SessionStore.Expired session) {
        sessions.expired(session.id());
        int jobs = sessions.giveBack(session.id(), session.workerName(), _ -> loop.wake());
        log.atWarn()
                .addKeyValue("worker", session.workerName())
                .addKeyValue("session", session.id())
                .addKeyValue("jobs", jobs)
                .log("A worker is lost; its jobs go back to the queue");
        if (jobs == 0) {
            store.deleteIfEmpty(session.id());
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
