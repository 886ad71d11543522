package dev.millrace.scheduler.activity.core;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How many jobs waited how long, by buckets whose bounds are a fifth apart. Immutable. */
public final class WaitHistogram {
    /** Number of buckets. The last one also has all waits of more than some days. */
    public static final int BUCKETS = 115;

    /** A wait without jobs. */
    public static final WaitHistogram EMPTY = new WaitHistogram(new long[0]);

    private static final double GROWTH = 1.2;
    private static final long[] BOUNDS_MILLIS = bounds();

    private final long[] counts;

    /** @param counts number of jobs in each bucket; missing buckets are empty */
    public WaitHistogram(long[] counts) {
        this.counts = counts.clone();
    }

    private static long[] bounds() {
        long[] bounds = new long[BUCKETS];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            // Small bounds grow by a millisecond, since their fifth is less.
            long grown = bucket == 0 ? 1 : (long) Math.floor(bounds[bucket - 1] * GROWTH);
            bounds[bucket] = bucket == 0 ? 1 : Math.max(bounds[bucket - 1] + 1, grown);
        }
        return bounds;
    }

    /** The bucket of a wait: the first whose bound the wait does not exceed. Negative waits count as none. */
    public static int bucketOf(long waitMillis) {
        int found = Arrays.binarySearch(BOUNDS_MILLIS, waitMillis);
        return Math.min(found >= 0 ? found : -found - 1, BUCKETS - 1);
    }

    /** The longest wait of a bucket. */
    static Duration bound(int bucket) {
        return Duration.ofMillis(BOUNDS_MILLIS[bucket]);
    }

    /** Number of jobs. */
    public long jobs() {
        return Arrays.stream(counts).sum();
    }

    /** The jobs of both. */
    public WaitHistogram plus(WaitHistogram other) {
        long[] sums = Arrays.copyOf(counts, Math.max(counts.length, other.counts.length));
        for (int bucket = 0; bucket < other.counts.length; bucket++) {
            sums[bucket] += other.counts[bucket];
        }
        return new WaitHistogram(sums);
    }

    /**
     * The wait that a share of the jobs did not exceed; absent without jobs.
     *
     * @param share more than 0, at most 1
     */
    public Optional<Duration> quantile(double share) {
        long wanted = (long) Math.ceil(jobs() * share);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (counts[bucket] > 0 && seen >= wanted) {
                return Optional.of(bound(Math.min(bucket, BUCKETS - 1)));
            }
        }
        return Optional.empty();
    }

    /** Number of jobs in each bucket. */
    public long[] counts() {
        return counts.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WaitHistogram that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return Arrays.toString(counts);
    }
}
