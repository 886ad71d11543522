package dev.millrace.worker.internal.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Time until which the worker may consider its session alive. While the worker was frozen or cut off, the scheduler may
 * have ended the session and given its jobs to others. Jobs that have not begun must then wait until the scheduler
 * answers again or ends the session.
 *
 * <p>A session lives for its time to live after the worker's last sign of life. The latest one that the worker can be
 * sure of is the newest answered heartbeat, counted from when it was sent. It counts half of the time to live, because
 * a scheduler that dies may not have recorded the last signs.
 */
final class SessionLife {
    /** A heartbeat that may still be answered. */
    private record Sent(long sequence, long nanos) {}

    private final LongSupplier nanoClock;
    private final Deque<Sent> unanswered = new ArrayDeque<>();
    private long sequence;
    private volatile long ttlNanos;
    private volatile long untilNanos;

    /** @param nanoClock clock such as {@link System#nanoTime}, which continues while the process is frozen */
    SessionLife(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.untilNanos = nanoClock.getAsLong();
    }

    /** Whether jobs may begin. Any thread may call this. */
    boolean isCertain() {
        return untilNanos - nanoClock.getAsLong() > 0;
    }

    /** Records that a heartbeat is about to be sent, and returns its number. */
    synchronized long send() {
        unanswered.add(new Sent(++sequence, nanoClock.getAsLong()));
        return sequence;
    }

    /** Records the answer to a heartbeat. Returns true if this ends the doubt whether the session lives. */
    synchronized boolean answered(long answeredSequence) {
        Sent newest = null;
        while (!unanswered.isEmpty() && unanswered.peek().sequence <= answeredSequence) {
            newest = unanswered.remove();
        }
        return newest != null && livesFrom(newest.nanos);
    }

    /**
     * Records that a Hello sent at this time opened a stream. Returns true if this ends the doubt whether the session
     * lives.
     */
    synchronized boolean opened(long helloNanos, Duration ttl) {
        unanswered.clear();
        ttlNanos = ttl.toNanos();
        return livesFrom(helloNanos);
    }

    /** Records the end of the stream: the session may not be resumed in time. */
    synchronized void interrupted() {
        unanswered.clear();
        untilNanos = nanoClock.getAsLong();
    }

    private boolean livesFrom(long nanos) {
        boolean was = isCertain();
        untilNanos = nanos + ttlNanos / 2;
        return !was && isCertain();
    }
}
