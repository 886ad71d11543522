package dev.millrace.scheduler.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Lets few pieces of costly work be done at a time. Those of one owner stand in one line, so that they hold up nobody else.
 * Thread-safe.
 */
public final class Turns {
    /** Number of lines; owners with the same hash share one. */
    private static final int LINES = 64;

    private final Duration waitMax;
    private final Supplier<? extends RuntimeException> refusal;
    private final Semaphore[] lines;
    private final Semaphore turns;

    /**
     * @param all maximum number of pieces of work at a time
     * @param each maximum number of those of one owner
     * @param waitMax longest time to wait for a turn
     * @param refusal what is thrown to those who have waited so long
     */
    public Turns(int all, int each, Duration waitMax, Supplier<? extends RuntimeException> refusal) {
        this.waitMax = waitMax;
        this.refusal = refusal;
        this.lines =
                Stream.generate(() -> new Semaphore(each, true)).limit(LINES).toArray(Semaphore[]::new);
        this.turns = new Semaphore(all, true);
    }

    /** Does work once it is its owner's turn. */
    public <T> T take(Object owner, Supplier<T> work) {
        long end = System.nanoTime() + waitMax.toNanos();
        Semaphore line = lines[Math.floorMod(owner.hashCode(), LINES)];
        acquire(line, end);
        try {
            acquire(turns, end);
            try {
                return work.get();
            } finally {
                turns.release();
            }
        } finally {
            line.release();
        }
    }

    private void acquire(Semaphore room, long endNanos) {
        try {
            if (room.tryAcquire(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw refusal.get();
    }
}
