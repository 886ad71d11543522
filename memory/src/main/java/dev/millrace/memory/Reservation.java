package dev.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of a part that one owner holds until it closes the reservation. Closing twice has no effect. Thread-safe. */
public final class Reservation implements AutoCloseable {
    /** Largest size in bytes of a reservation that may use the quarter of a part kept for small ones. */
    public static final long SMALL_BYTES = 64 << 10;

    private static final long CLOSED = -1;

    private final MemoryPart part;
    private final AtomicLong heldBytes = new AtomicLong();

    public Reservation(MemoryPart part) {
        this.part = part;
    }

    /** 0 once the reservation is closed. */
    public long heldBytes() {
        return Math.max(0, heldBytes.get());
    }

    /**
     * Reserves more bytes. Returns false, and reserves nothing, if they would exceed the part's limit or the
     * reservation is closed.
     */
    public boolean tryGrow(long bytes) {
        boolean reserved = heldBytes() + bytes <= SMALL_BYTES ? part.tryReserve(bytes) : part.tryReserveOfLarge(bytes);
        return reserved && keep(bytes);
    }

    /**
     * Adds bytes that cannot be rejected, see {@link MemoryPart#reserve}. Has no effect once the reservation is closed.
     */
    public void grow(long bytes) {
        part.reserve(bytes);
        keep(bytes);
    }

    /** Releases all but this many bytes. */
    public void shrinkTo(long bytes) {
        long before = heldBytes.getAndUpdate(held -> Math.min(held, bytes));
        if (before > bytes) {
            part.release(before - bytes);
        }
    }

    /** Releases this many bytes, or all that are held if that is less. */
    public void release(long bytes) {
        long before = heldBytes.getAndUpdate(held -> held == CLOSED ? CLOSED : Math.max(0, held - bytes));
        if (before > 0) {
            part.release(Math.min(before, bytes));
        }
    }

    @Override
    public void close() {
        long held = heldBytes.getAndSet(CLOSED);
        if (held > 0) {
            part.release(held);
        }
    }

    private boolean keep(long bytes) {
        long before = heldBytes.getAndUpdate(held -> held == CLOSED ? CLOSED : held + bytes);
        if (before == CLOSED) {
            part.release(bytes);
            return false;
        }
        return true;
    }
}
