package dev.millrace.scheduler.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is read of stored values while something is worked out with them, so that each is read once, and lets go of it then, or earlier where much is
 * read. Outside of that, a stored value is read anew each time.
 */
public final class StoredReads {
    /** Most characters that one work keeps of what it has read, the value read last apart. */
    public static final int KEPT_LENGTH_MAX = 8 << 20;

    private static final ScopedValue<StoredReads> CURRENT = ScopedValue.newInstance();

    private final @Nullable Semaphore turns;
    private final Deque<JsonValue> values = new ArrayDeque<>();
    private long length;
    private boolean hasTurn;

    private StoredReads(@Nullable Semaphore turns) {
        this.turns = turns;
    }

    /** Works something out; what it reads meanwhile is kept until its end. */
    public static <T> T during(Supplier<T> work) {
        return during(new StoredReads(null), work);
    }

    /**
     * Works something out; what it reads meanwhile is kept until its end.
     *
     * @param turns how many works may keep what they have read at once; others wait before their first read
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

    /** A stored value is about to be read. Waits for a turn. */
    static void begin() {
        if (CURRENT.isBound()) {
            CURRENT.get().awaitTurn();
        }
    }

    /** Has the value forget what it has read at the end; false where nobody would tell it to. */
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
                throw new IllegalStateException("A stored value was no longer wanted.", e);
            }
            hasTurn = true;
        }
    }

    private void keep(JsonValue value, int readLength) {
        length += readLength;
        while (length > KEPT_LENGTH_MAX && !values.isEmpty()) {
            length -= values.remove().letGo();
        }
        values.add(value);
    }

    private void end() {
        values.forEach(JsonValue::letGo);
        if (turns != null && hasTurn) {
            turns.release();
        }
    }
}
