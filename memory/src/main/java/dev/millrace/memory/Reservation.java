package dev.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of a part that one owner holds until it closes; closing twice does nothing. Thread-safe. */
public final class Reservation implements AutoCloseable {
    /** Up to this size a reservation may use what a part keeps for small ones. */
    public static final long SMALL_BYTES = 64 << 10;

    private static final long CLOSED = -1;

    private final MemoryPart part;
    private final AtomicLong heldBytes = new AtomicLong();

    public Reservation(MemoryPart part) {
        this.part = part;
    }

    /** How many bytes are held; 0 once it is closed. */
    public long heldBytes() {
        return Math.max(0, heldBytes.get());
    }

    /** Reserves more; false where the limit of the part would be exceeded, or the reservation is closed. */
    public boolean tryGrow(long bytes) {
        boolean reserved = heldBytes() + bytes <= SMALL_BYTES ? part.tryReserve(bytes) : part.tryReserveOfLarge(bytes);
        return reserved && keep(bytes);
    }

    /** Adds bytes that cannot be refused, see {@link MemoryPart#reserve}. Does nothing once it is closed. */
    public void grow(long bytes) {
        part.reserve(bytes);
        keep(bytes);
    }

    /** Gives back all but this many bytes. */
    public void shrinkTo(long bytes) {
        long before = heldBytes.getAndUpdate(held -> Math.min(held, bytes));
        if (before > bytes) {
            part.release(before - bytes);
        }
    }

    /** Gives back this many bytes, or what is held if that is less. */
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
