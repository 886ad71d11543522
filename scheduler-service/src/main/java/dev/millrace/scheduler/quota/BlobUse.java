package dev.millrace.scheduler.quota;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The bytes of blobs that one workspace has. Others may store and delete blobs between two counts, so a call is refused
 * only after a count of the last moment, and may be allowed after an older one. Thread-safe: one lock, which a count
 * holds, so that one caller at a time counts a workspace.
 */
final class BlobUse {
    /** Time after which a count is too old to allow anything. */
    private static final long ALLOWING_NANOS = Duration.ofSeconds(10).toNanos();
    /** Time after which a count is too old to refuse anything. */
    private static final long REFUSING_NANOS = Duration.ofSeconds(1).toNanos();
    /** Part of the time in which a workspace is being counted: a count that takes 100 ms is repeated after 2 s. */
    private static final int COUNT_SHARE = 20;

    private final LongSupplier count;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isCounted;
    private long countedNanos;
    private long countTookNanos;
    private long storedBytes;
    private long arrivingBytes;

    /** @param count reads the sum from the database */
    BlobUse(LongSupplier count, LongSupplier nanos) {
        this.count = count;
        this.nanos = nanos;
    }

    /**
     * Takes room for bytes that arrive, unless the blobs would have more than {@code max} bytes with them.
     *
     * @param max 0 for no limit
     * @return -1 if they may come, else the bytes that the workspace has, arriving ones included
     */
    long take(long bytes, long max) {
        lock.lock();
        try {
            if (max > 0) {
                countUnlessYoung(ALLOWING_NANOS);
                if (isBeyond(bytes, max)) {
                    countUnlessYoung(REFUSING_NANOS);
                }
                if (isBeyond(bytes, max)) {
                    return storedBytes + arrivingBytes;
                }
            }
            arrivingBytes += bytes;
            return -1;
        } finally {
            lock.unlock();
        }
    }

    private boolean isBeyond(long bytes, long max) {
        return storedBytes + arrivingBytes > max - bytes;
    }

    /** Gives back the room of bytes that have arrived or do not come. */
    void release(long bytes) {
        lock.lock();
        try {
            arrivingBytes -= bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Notes bytes that were stored here, or a negative number of bytes that were deleted. */
    void stored(long bytes) {
        lock.lock();
        try {
            storedBytes = Math.max(0, storedBytes + bytes);
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of complete blobs. */
    long see() {
        lock.lock();
        try {
            countUnlessYoung(REFUSING_NANOS);
            return storedBytes;
        } finally {
            lock.unlock();
        }
    }

    private void countUnlessYoung(long youngNanos) {
        long begun = nanos.getAsLong();
        if (isCounted && begun - countedNanos < Math.max(youngNanos, countTookNanos * COUNT_SHARE)) {
            return;
        }
        storedBytes = count.getAsLong();
        countedNanos = nanos.getAsLong();
        countTookNanos = countedNanos - begun;
        isCounted = true;
    }
}
