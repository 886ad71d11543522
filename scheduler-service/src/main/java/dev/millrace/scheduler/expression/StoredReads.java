package dev.millrace.scheduler.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the texts of stored values during one piece of work, so that each is read only once. It is cleared at the
 * end of the work, and drops its oldest texts when it is full. Outside such work, each access reads the stored value
 * again.
 */
public final class StoredReads {
    /** Maximum characters that one piece of work keeps, not counting the value read last. */
    public static final int KEPT_LENGTH_MAX = 8 << 20;

    private static final ScopedValue<StoredReads> CURRENT = ScopedValue.newInstance();

    private final @Nullable Semaphore turns;
    private final Deque<JsonValue> values = new ArrayDeque<>();
    private long length;
    private boolean hasTurn;

    private StoredReads(@Nullable Semaphore turns) {
        this.turns = turns;
    }

    /** Runs work and keeps the texts that it reads until it ends. */
    public static <T> T during(Supplier<T> work) {
        return during(new StoredReads(null), work);
    }

    /**
     * Runs work and keeps the texts that it reads until it ends.
     *
     * @param turns limits how many pieces of work keep texts at the same time; others wait before their first read
     */
    public static <T> T during(Semaphore turns, Supplier<T> work) {
        return during(new StoredReads(turns), work);
    }

    private static <T> T during(StoredReads reads, Supplier<T> work) {
        try {
            return ScopedValue.where(CURRENT, reads).call(work::get);
        } finally {
            reads.end();
        }
    }

    /** Waits for a turn before a stored value is read. */
    static void begin() {
        if (CURRENT.isBound()) {
            CURRENT.get().awaitTurn();
        }
    }

    /** Registers a value whose text is to be released at the end of the work. Returns false outside of work. */
    static boolean note(JsonValue value, int readLength) {
        if (!CURRENT.isBound()) {
            return false;
        }
        CURRENT.get().keep(value, readLength);
        return true;
    }

    private void awaitTurn() {
        if (turns != null && !hasTurn) {
            try {
                turns.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The wait to read a stored value was interrupted.", e);
            }
            hasTurn = true;
        }
    }

    private void keep(JsonValue value, int readLength) {
        length += readLength;
        while (length > KEPT_LENGTH_MAX && !values.isEmpty()) {
            length -= values.remove().release();
        }
        values.add(value);
    }

    private void end() {
        values.forEach(JsonValue::release);
        if (turns != null && hasTurn) {
            turns.release();
        }
    }
}
