package dev.millrace.scheduler.tag.core;

import java.util.Arrays;

/**
 * Counts how often something has happened in about the last minute. The time is divided into parts, of which the oldest
 * is overwritten. Thread-safe.
 */
public final class RateWindow {
    /** Number of whole parts over which the rate is an average. */
    private static final int PARTS = 12;
    /** Length of a part, in seconds. */
    private static final int PART_SECONDS = 5;

    /** One part more than is averaged, because the present one is not complete. */
    private final long[] counts = new long[PARTS + 1];

    private final long[] times = new long[PARTS + 1];

    public RateWindow() {
        Arrays.fill(times, Long.MIN_VALUE);
    }

    /** Counts one event at this second of a clock that never goes back. */
    public synchronized void add(long second) {
        long part = Math.floorDiv(second, PART_SECONDS);
        int place = Math.floorMod(part, counts.length);
        if (times[place] != part) {
            times[place] = part;
            counts[place] = 0;
        }
        counts[place]++;
    }

    /** Events a second, on the average of the last minute before the present part and of what that part has so far. */
    public synchronized double perSecond(long second) {
        long part = Math.floorDiv(second, PART_SECONDS);
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            if (times[i] >= part - PARTS && times[i] <= part) {
                sum += counts[i];
            }
        }
        return sum / (double) (PARTS * PART_SECONDS + Math.floorMod(second, PART_SECONDS) + 1);
    }
}
