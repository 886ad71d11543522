package dev.millrace.scheduler.queue.core;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Generates ids: UUIDs of version 7 (RFC 9562, method 1: a counter in {@code rand_a}). The ids of one source increase,
 * so b-trees append them. Thread-safe if its clock and its random generator are.
 */
public final class IdSource {
    private static final int COUNTER_BITS = 12;
    private static final long BUCKET_MASK = Bucket.COUNT - 1;

    private final LongSupplier clockMillis;
    private final RandomGenerator random;
    /** Milliseconds and counter of the last id, combined in a number that only increases. */
    private final AtomicLong last = new AtomicLong();

    public IdSource(LongSupplier clockMillis, RandomGenerator random) {
        this.clockMillis = clockMillis;
        this.random = random;
    }

    /** Returns the current time of the clock, in milliseconds since 1970. */
    public long nowMillis() {
        return clockMillis.getAsLong();
    }

    /** Returns an id for a run in a random bucket. */
    public RunId nextRun() {
        return new RunId(next(random.nextLong() & BUCKET_MASK));
    }

    /** Returns an id for a run in a given bucket. */
    public RunId nextRun(Bucket bucket) {
        return new RunId(next(bucket.value()));
    }

    /** Returns an id for a job, in the bucket of its run. */
    public JobId nextJob(RunId run) {
        if (last.get() < run.orderKey()) {
            passOver(run.rootJob());
        }
        return new JobId(next(run.bucket().value()));
    }

    /** Returns an id that belongs to no run, for example for a session. */
    public UUID nextUuid() {
        return next(random.nextLong() & BUCKET_MASK);
    }

    /** Returns a random lease token. */
    public LeaseToken nextLeaseToken() {
        return new LeaseToken(random.nextLong());
    }

    /** Makes every later id greater than this one, which may come from another clock. */
    public void passOver(JobId id) {
        long high = id.value().getMostSignificantBits();
        long tick = (high >>> 16 << COUNTER_BITS) | (high & ((1 << COUNTER_BITS) - 1));
        last.accumulateAndGet(tick, Math::max);
    }

    private UUID next(long bucket) {
        long now = clockMillis.getAsLong() << COUNTER_BITS;
        long tick = last.accumulateAndGet(now, (previous, current) -> Math.max(previous + 1, current));
        long high = (tick >>> COUNTER_BITS << 16) | 0x7000 | (tick & ((1 << COUNTER_BITS) - 1));
        long low = 0x8000000000000000L | (random.nextLong() >>> 2 & ~BUCKET_MASK) | bucket;
        return new UUID(high, low);
    }
}
