package dev.millrace.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bytes that one part of a service may hold. Reserving and releasing are one atomic addition each. Thread-safe and free of locks.
 *
 * <p>What may be refused asks with {@link #tryReserve}. What may not be refused, such as the result of a job, is taken with {@link #reserve}, and its source is
 * paused while the part {@link #isFull}: {@link #whenRoom} says when to go on.
 */
public final class MemoryPart {
    /** One part in so many is kept for small reservations: a few large ones cannot lock out everyone. */
    private static final int KEPT_FOR_SMALL_SHARE = 4;

    private final String name;
    private final long limitBytes;
    private final AtomicLong reservedBytes = new AtomicLong();
    private final LongAdder refusals = new LongAdder();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    /** Size of the queue: read on each release, where the queue itself would be dear to ask. */
    private final AtomicInteger waitingCount = new AtomicInteger();

    MemoryPart(String name, long limitBytes) {
        this.name = name;
        this.limitBytes = limitBytes;
    }

    public String name() {
        return name;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long reservedBytes() {
        return reservedBytes.get();
    }

    /** How often {@link #tryReserve} was refused. */
    public long refusals() {
        return refusals.sum();
    }

    /** Whether as much is reserved as may be. */
    public boolean isFull() {
        return reservedBytes.get() >= limitBytes;
    }

    /** The largest reservation that could ever be made, if nothing else were reserved. */
    public long reservationBytesMax() {
        return limitBytes - limitBytes / KEPT_FOR_SMALL_SHARE;
    }

    /** Reserves the bytes; false where the limit would be exceeded, and then nothing is reserved. */
    public boolean tryReserve(long bytes) {
        return tryReserveUpTo(limitBytes, bytes);
    }

    /** The same for bytes of something large: it leaves a quarter of the part to what is small. */
    boolean tryReserveOfLarge(long bytes) {
        return tryReserveUpTo(reservationBytesMax(), bytes);
    }

    private boolean tryReserveUpTo(long limit, long bytes) {
        if (reservedBytes.addAndGet(requireSize(bytes)) <= limit) {
            return true;
        }
        refusals.increment();
        release(bytes);
        return false;
    }

    /** Reserves bytes that are here already and cannot be refused, beyond the limit too. */
    public void reserve(long bytes) {
        reservedBytes.addAndGet(requireSize(bytes));
    }

    /** The same as {@link #tryReserve}, as something to close. */
    public Optional<Reservation> tryOpen(long bytes) {
        var reservation = new Reservation(this);
        return reservation.tryGrow(bytes) ? Optional.of(reservation) : Optional.empty();
    }

    public void release(long bytes) {
        long left = reservedBytes.addAndGet(-requireSize(bytes));
        if (left < 0) {
            throw new IllegalStateException(
                    "Memory part " + name + ": " + -left + " more bytes were released than had been reserved.");
        }
        if (waitingCount.get() > 0) {
            wakeWaiting();
        }
    }

    /**
     * Runs a task as soon as the part is not full: at once on this thread, or on a thread that releases. The task must return at once and
     * must not throw.
     */
    public void whenRoom(Runnable task) {
        if (!isFull()) {
            task.run();
            return;
        }
        waiting.add(task);
        waitingCount.incrementAndGet();
        // The last release may have come before the task could be seen.
        wakeWaiting();
    }

    private void wakeWaiting() {
        while (!isFull()) {
            Runnable task = waiting.poll();
            if (task == null) {
                return;
            }
            waitingCount.decrementAndGet();
            task.run();
        }
    }

    private static long requireSize(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        return bytes;
    }
}
