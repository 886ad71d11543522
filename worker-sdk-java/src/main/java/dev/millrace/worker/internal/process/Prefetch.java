package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.runtime.LongJobs;
import java.time.Duration;

/**
 * How many jobs wait on the worker for each slot of a group: as many as run while the scheduler records results and sends the next
 * leases, so that a slot of short jobs never runs dry, and long jobs stay where other workers can take them.
 */
final class Prefetch {
    /** Least work that waits for each slot. */
    static final Duration WORK_AHEAD_MIN = Duration.ofMillis(5);

    /** Most work that waits for each slot, however slow the scheduler is. */
    static final Duration WORK_AHEAD_MAX = Duration.ofMillis(50);

    /** One turnaround is under way while the jobs of the next already wait. */
    private static final int TURNAROUNDS_AHEAD = 2;

    /** Most jobs that wait for one slot. */
    static final int PER_SLOT_MAX = 256;

    private static final double NEWEST_SHARE = 0.25;

    /** One job that is slower than this many average ones says little: a pause of the machine looks the same. */
    private static final double OUTLIER = 8;

    private final int perSlotMin;
    private int perSlot;
    private boolean distrusted;
    private double averageRunNanos = WORK_AHEAD_MIN.toNanos();
    private double averageTurnaroundNanos;

    /**
     * @param perSlotMin jobs that may wait for each slot unless those before them are long; 0 for none, whatever they are
     */
    Prefetch(int perSlotMin) {
        this.perSlotMin = perSlotMin;
        this.perSlot = perSlotMin;
    }

    /** Jobs that may wait for each slot. */
    int perSlot() {
        return perSlot;
    }

    /** Notes that a job has run this long; true where another number of jobs may wait from now on. */
    boolean ran(long nanos) {
        if (distrusted) {
            distrusted = nanos >= LongJobs.LONG_RUN_MIN.toNanos();
            perSlot = distrusted ? 0 : perSlotMin;
            return perSlot > 0;
        }
        double counted = Math.min((double) nanos, OUTLIER * averageRunNanos);
        averageRunNanos = Math.max(1, averageRunNanos + NEWEST_SHARE * (counted - averageRunNanos));
        int fitting = fitting();
        // A change is told to the scheduler, so it must be worth a message: twice as many, a quarter as many, or as
        // many
        // as there may be.
        boolean worthIt = fitting >= 2 * perSlot || 4 * fitting <= perSlot || fitting == PER_SLOT_MAX;
        boolean changes = worthIt && fitting != perSlot;
        if (changes) {
            perSlot = fitting;
        }
        return changes;
    }

    /** Notes how long the scheduler took to record the end of a job. */
    void turnedAround(long nanos) {
        averageTurnaroundNanos += NEWEST_SHARE * (nanos - averageTurnaroundNanos);
    }

    /** Lets none wait, because a job turns out to be long, until one ends that was not. */
    void distrust() {
        averageRunNanos = WORK_AHEAD_MIN.toNanos();
        perSlot = 0;
        distrusted = true;
    }

    /** Whether the jobs that run are long, as far as is known. */
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
