package dev.millrace.scheduler.quota.core;

import java.util.Arrays;

/** The average of a rate over the last seconds. Not thread-safe. */
public final class Meter {
    /** Number of whole seconds over which the average goes. */
    static final int SECONDS = 5;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long[] amounts = new long[SECONDS + 1];
    private long second = Long.MIN_VALUE;

    /**
     * Adds to the amount of the present second.
     *
     * @param nowNanos a time that only increases
     */
    public void add(long amount, long nowNanos) {
        advance(nowNanos);
        amounts[slot(second)] += amount;
    }

    /** The average of the last whole seconds, per second. */
    public double perSecond(long nowNanos) {
        advance(nowNanos);
        long sum = 0;
        for (long amount : amounts) {
            sum += amount;
        }
        return (sum - amounts[slot(second)]) / (double) SECONDS;
    }

    private void advance(long nowNanos) {
        long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
        if (second == Long.MIN_VALUE || now - second > SECONDS) {
            Arrays.fill(amounts, 0);
            second = now;
        }
        while (second < now) {
            second++;
            amounts[slot(second)] = 0;
        }
    }

    private static int slot(long second) {
        return (int) Math.floorMod(second, (long) SECONDS + 1);
    }
}
