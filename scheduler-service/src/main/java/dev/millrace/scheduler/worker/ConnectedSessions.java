package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The sessions that are connected to this scheduler, and the locks of their streams. Thread-safe. */
final class ConnectedSessions {
    /** Enough locks that sessions seldom wait for one another; each wait lasts one write. */
    private static final int STREAM_LOCKS = 64;

    private final Map<SessionId, WorkerSession> sessions = new ConcurrentHashMap<>();
    private final Lock[] streamChanges =
            Stream.generate(ReentrantLock::new).limit(STREAM_LOCKS).toArray(Lock[]::new);

    /** The sessions by id, which others may change at any time. */
    Map<SessionId, WorkerSession> byId() {
        return sessions;
    }

    Collection<WorkerSession> all() {
        return sessions.values();
    }

    /**
     * Returns the lock that is held while the beginning or end of a session's stream is recorded in the database and in
     * memory. Without it, the end of one stream could be recorded after the beginning of the next. Jobs that begin on
     * the new stream would then count as not begun.
     */
    Lock streamChange(SessionId session) {
        return streamChanges[Math.floorMod(session.hashCode(), streamChanges.length)];
    }
}
