package dev.millrace.scheduler.activity;

import dev.millrace.scheduler.activity.core.Activity;
import dev.millrace.scheduler.activity.core.WaitHistogram;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/** Counts of a workspace since they were stored last. Thread-safe, and no count is lost or taken twice. */
final class ActivityCounts {
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong canceled = new AtomicLong();
    private final AtomicLongArray waits = new AtomicLongArray(WaitHistogram.BUCKETS);

    void addAccepted() {
        accepted.getAndIncrement();
    }

    void addSucceeded() {
        succeeded.getAndIncrement();
    }

    void addFailed() {
        failed.getAndIncrement();
    }

    void addCanceled() {
        canceled.getAndIncrement();
    }

    void addWait(long millis) {
        waits.getAndIncrement(WaitHistogram.bucketOf(millis));
    }

    /** Adds what was taken before and could not be stored. */
    void putBack(Activity taken) {
        accepted.getAndAdd(taken.accepted());
        succeeded.getAndAdd(taken.succeeded());
        failed.getAndAdd(taken.failed());
        canceled.getAndAdd(taken.canceled());
        long[] takenWaits = taken.waits().counts();
        for (int bucket = 0; bucket < takenWaits.length; bucket++) {
            waits.getAndAdd(bucket, takenWaits[bucket]);
        }
    }

    /** Takes the counts and begins with none; absent if nothing was counted. */
    Optional<Activity> take() {
        long[] takenWaits = new long[WaitHistogram.BUCKETS];
        for (int bucket = 0; bucket < takenWaits.length; bucket++) {
            takenWaits[bucket] = waits.getAndSet(bucket, 0);
        }
        Activity taken = new Activity(
                accepted.getAndSet(0),
                succeeded.getAndSet(0),
                failed.getAndSet(0),
                canceled.getAndSet(0),
                new WaitHistogram(takenWaits));
        boolean isAny = taken.accepted()
                        + taken.succeeded()
                        + taken.failed()
                        + taken.canceled()
                        + LongStream.of(takenWaits).sum()
                > 0;
        return isAny ? Optional.of(taken) : Optional.empty();
    }
}
