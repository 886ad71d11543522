package dev.millrace.scheduler.queue.core;

import java.time.Duration;

/**
 * How often and when a failed job is tried again.
 *
 * @param retriesMax retries after the first attempt, 0 to {@link #RETRIES_LIMIT}
 * @param delay wait before the first retry
 * @param multiplier factor between one wait and the next, at least 1
 * @param delayMax longest wait
 * @param jitter share of the wait that is random, 0 to 1
 */
public record RetryPolicy(int retriesMax, Duration delay, double multiplier, Duration delayMax, double jitter) {
    /** Most retries a policy may ask for. */
    public static final int RETRIES_LIMIT = 1_000;
    /** Longest wait a policy may ask for. */
    public static final Duration DELAY_LIMIT = Duration.ofDays(30);
    /** Longest wait of a policy that names none. */
    public static final Duration DELAY_MAX_DEFAULT = Duration.ofHours(1);
    /** No retry at all. */
    public static final RetryPolicy NONE = new RetryPolicy(0, Duration.ZERO, 1, DELAY_MAX_DEFAULT, 0);

    public RetryPolicy {
        require(retriesMax >= 0 && retriesMax <= RETRIES_LIMIT, "max_retries", retriesMax, "0 to " + RETRIES_LIMIT);
        require(isDelay(delay), "delay", delay, "0s to " + DELAY_LIMIT);
        require(multiplier >= 1 && multiplier <= 1_000, "multiplier", multiplier, "1 to 1000");
        require(isDelay(delayMax), "max_delay", delayMax, "0s to " + DELAY_LIMIT);
        require(jitter >= 0 && jitter <= 1, "jitter", jitter, "0 to 1");
    }

    /**
     * The wait before retry number {@code retry} (from 1): {@code delay · multiplier^(retry−1)}, capped, of which the share
     * {@code jitter} is scaled by {@code random} (0 to 1).
     */
    public Duration delayBefore(int retry, double random) {
        double uncapped = (double) delay.toMillis() * Math.pow(multiplier, retry - 1.0);
        double capped = Math.min(uncapped, (double) delayMax.toMillis());
        return Duration.ofMillis(Math.round(capped * (1 - jitter * (1 - random))));
    }

    private static boolean isDelay(Duration value) {
        return !value.isNegative() && value.compareTo(DELAY_LIMIT) <= 0;
    }

    private static void require(boolean holds, String field, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
        }
    }
}
