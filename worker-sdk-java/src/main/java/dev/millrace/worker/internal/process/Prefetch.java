package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.runtime.LongJobs;
import java.time.Duration;

/**
 * Number of jobs that wait on the worker for each slot of a group. It covers the time in which the scheduler records
 * results and sends the next leases. So a slot of short jobs never runs dry, and long jobs stay available to other
 * workers.
 */
final class Prefetch {
    /** Smallest amount of work that waits for each slot. */
    static final Duration WORK_AHEAD_MIN = Duration.ofMillis(5);

    /** Largest amount of work that waits for each slot, however slow the scheduler is. */
    static final Duration WORK_AHEAD_MAX = Duration.ofMillis(50);

    /** While one turnaround is in progress, the jobs of the next one already wait. */
    private static final int TURNAROUNDS_AHEAD = 2;

    /** Largest number of jobs that wait for one slot. */
    static final int PER_SLOT_MAX = 256;

    private static final double NEWEST_SHARE = 0.25;

    /** A job counts as at most this many average ones: a single slow job may mean only that the machine paused. */
    private static final double OUTLIER = 8;

    private final int perSlotMin;
    private int perSlot;
    private boolean distrusted;
    private double averageRunNanos = WORK_AHEAD_MIN.toNanos();
    private double averageTurnaroundNanos;

    /**
     * @param perSlotMin jobs that may wait for each slot unless the running ones are long; 0 lets none wait in any case
     */
    Prefetch(int perSlotMin) {
        this.perSlotMin = perSlotMin;
        this.perSlot = perSlotMin;
    }

    int perSlot() {
        return perSlot;
    }

    /** Records how long a job ran. Returns true if the number of jobs that may wait changes. */
    boolean ran(long nanos) {
        if (distrusted) {
            distrusted = nanos >= LongJobs.LONG_RUN_MIN.toNanos();
            perSlot = distrusted ? 0 : perSlotMin;
            return perSlot > 0;
        }
        double counted = Math.min((double) nanos, OUTLIER * averageRunNanos);
        averageRunNanos = Math.max(1, averageRunNanos + NEWEST_SHARE * (counted - averageRunNanos));
        int fitting = fitting();
        // The scheduler is told of each change, so a change must be worth a message: at least twice as many, at most a
        // quarter, or the maximum.
        boolean worthIt = fitting >= 2 * perSlot || 4 * fitting <= perSlot || fitting == PER_SLOT_MAX;
        boolean changes = worthIt && fitting != perSlot;
        if (changes) {
            perSlot = fitting;
        }
        return changes;
    }

    /** Records how long the scheduler took to store the end of a job. */
    void turnedAround(long nanos) {
        averageTurnaroundNanos += NEWEST_SHARE * (nanos - averageTurnaroundNanos);
    }

    /** Lets no jobs wait, because a job turned out to be long. Ends when a job ends that was not long. */
    void distrust() {
        averageRunNanos = WORK_AHEAD_MIN.toNanos();
        perSlot = 0;
        distrusted = true;
    }

    /** Whether the running jobs are long, as far as known. */
    boolean isDistrusted() {
        return distrusted;
    }

    private int fitting() {
        double wanted = Math.max(TURNAROUNDS_AHEAD * averageTurnaroundNanos, (double) WORK_AHEAD_MIN.toNanos());
        double ahead = Math.min(wanted, (double) WORK_AHEAD_MAX.toNanos());
        double jobs = ahead / averageRunNanos;
        return perSlotMin == 0 ? 0 : Math.max(perSlotMin, (int) Math.min(jobs, PER_SLOT_MAX));
    }
}
