package dev.millrace.worker.internal.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Until when the worker may take its session to be alive. While it was frozen or cut off, the scheduler may have ended the session and given its jobs to
 * others: what has not begun must then wait until the scheduler has answered again, or has ended the session.
 *
 * <p>A session lives for its time to live from the last sign of life on. The worker knows of none that is later than the newest heartbeat which was
 * answered; it counts from when it sent that one, and half of the time, as a scheduler that dies may not have recorded the last signs.
 */
final class SessionLife {
    /** A heartbeat that may be answered yet. */
    private record Sent(long sequence, long nanos) {}

    private final LongSupplier nanoClock;
    private final Deque<Sent> unanswered = new ArrayDeque<>();
    private long sequence;
    private volatile long ttlNanos;
    private volatile long untilNanos;

    /** @param nanoClock as {@link System#nanoTime}, which goes on while the process is frozen */
    SessionLife(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.untilNanos = nanoClock.getAsLong();
    }

    /** Whether a job may begin now. Any thread may ask. */
    boolean isCertain() {
        return untilNanos - nanoClock.getAsLong() > 0;
    }

    /** A heartbeat is about to be sent; returns its number. */
    synchronized long send() {
        unanswered.add(new Sent(++sequence, nanoClock.getAsLong()));
        return sequence;
    }

    /** A heartbeat was answered. Returns whether the session lives again, which was in doubt until now. */
    synchronized boolean answered(long answeredSequence) {
        Sent newest = null;
        while (!unanswered.isEmpty() && unanswered.peek().sequence <= answeredSequence) {
            newest = unanswered.remove();
        }
        return newest != null && livesFrom(newest.nanos);
    }

    /** A stream was opened by a Hello, sent then. Returns whether the session lives again, which was in doubt until now. */
    synchronized boolean opened(long helloNanos, Duration ttl) {
        unanswered.clear();
        ttlNanos = ttl.toNanos();
        return livesFrom(helloNanos);
    }

    /** The stream has ended: nobody knows whether the session will be resumed in time. */
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
