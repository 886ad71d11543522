package dev.millrace.kafka;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What clients of Kafka in a process may hold of responses together, in bytes. A client whose response has no room reads on
 * later: its brokers wait meanwhile. Small responses always have room, so that groups and metadata go on. Thread-safe.
 */
public final class ResponseBudget {
    /** Responses below this size are not counted. */
    static final int COUNTED_BYTES_MIN = 64 << 10;

    private final long total;
    private final AtomicLong held = new AtomicLong();

    /** @param total largest sum of what is held; a response that is larger has room if nothing is held */
    public ResponseBudget(long total) {
        this.total = total;
    }

    /** Takes room. Returns false if there is none now. */
    boolean take(long bytes) {
        long before;
        do {
            before = held.get();
            if (before > 0 && before + bytes > total) {
                return false;
            }
        } while (!held.compareAndSet(before, before + bytes));
        return true;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Whether nothing further has room. */
    boolean isFull() {
        return held.get() >= total;
    }

    /** Number of bytes that are held. */
    public long held() {
        return held.get();
    }
}
