package dev.millrace.scheduler.queue.core;

import java.util.UUID;

/**
 * A share of all runs, given by the low ten bits of each run id. Buckets limit hot statements and assign runs to
 * shards.
 */
public record Bucket(short value) {
    /** Number of buckets. Fixed for the life of a database. */
    public static final int COUNT = 1024;

    public Bucket {
        if (value < 0 || value >= COUNT) {
            throw new IllegalArgumentException("bucket: " + value + " (expected: 0 to " + (COUNT - 1) + ")");
        }
    }

    static Bucket of(UUID id) {
        return new Bucket((short) (id.getLeastSignificantBits() & (COUNT - 1)));
    }
}
