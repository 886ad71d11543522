package dev.millrace.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes that one part of a service may hold. Reserving and releasing are one atomic addition each. Thread-safe and
 * lock-free.
 *
 * <p>{@link #tryReserve} is for bytes that can be rejected. Bytes that cannot, such as the result of a job, are taken
 * with {@link #reserve}. Their source is then paused while the part {@link #isFull}, and {@link #whenRoom} resumes it.
 */
public final class MemoryPart {
    /** One in so many bytes is kept for small reservations, so that a few large ones cannot lock out all others. */
    private static final int KEPT_FOR_SMALL_SHARE = 4;

    private final String name;
    private final long limitBytes;
    private final AtomicLong reservedBytes = new AtomicLong();
    private final LongAdder refusals = new LongAdder();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    /** Size of {@link #waiting}. Each release reads it, because asking the queue itself is expensive. */
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

    /** Number of rejections by {@link #tryReserve}. */
    public long refusals() {
        return refusals.sum();
    }

    public boolean isFull() {
        return reservedBytes.get() >= limitBytes;
    }

    /** The largest reservation that succeeds if nothing else is reserved. */
    public long reservationBytesMax() {
        return limitBytes - limitBytes / KEPT_FOR_SMALL_SHARE;
    }

    /** Reserves the bytes. Returns false, and reserves nothing, if they would exceed the limit. */
    public boolean tryReserve(long bytes) {
        return tryReserveUpTo(limitBytes, bytes);
    }

    /** Like {@link #tryReserve}, for a part of something large: leaves a quarter of the limit to small reservations. */
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

    /** Reserves bytes that are in memory already and cannot be rejected, even beyond the limit. */
    public void reserve(long bytes) {
        reservedBytes.addAndGet(requireSize(bytes));
    }

    /** Like {@link #tryReserve}, but returns a reservation to close; empty if the bytes would exceed the limit. */
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
     * Runs a task as soon as the part is not full: at once on this thread, or later on a thread that releases. The task
     * must return quickly and must not throw.
     */
    public void whenRoom(Runnable task) {
        if (!isFull()) {
            task.run();
            return;
        }
        waiting.add(task);
        waitingCount.incrementAndGet();
        // The last release may have preceded the increment and missed the task.
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
