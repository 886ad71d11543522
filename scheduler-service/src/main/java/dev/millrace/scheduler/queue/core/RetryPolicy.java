package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * How often and when a failed job is tried again: phase after phase, each wait capped first and then made random in part.
 *
 * @param phases in the order in which they are used up; together at most {@link #RETRIES_LIMIT} retries; none for no retry
 * @param delayMax longest wait
 * @param jitter share of the wait that is random, 0 to 1; not in phases that are steady
 * @param randomDelay longest random time that a wait takes besides, also beyond {@code delayMax}; not in phases that are steady
 * @param afterTimeout whether an attempt that took longer than its timeout is tried again, too
 */
public record RetryPolicy(
        List<RetryPhase> phases, Duration delayMax, double jitter, Duration randomDelay, boolean afterTimeout) {
    /** Most retries a policy may ask for. */
    public static final int RETRIES_LIMIT = 100_000;
    /** Most phases of a policy. */
    public static final int PHASES_LIMIT = 10;
    /** Largest factor of a phase. */
    public static final int FACTOR_LIMIT = 1_000;
    /** Longest wait a policy may ask for. */
    public static final Duration DELAY_LIMIT = Duration.ofDays(30);
    /** Longest wait of a policy that names none. */
    public static final Duration DELAY_MAX_DEFAULT = Duration.ofHours(1);
    /** No retry at all. */
    public static final RetryPolicy NONE = new RetryPolicy(List.of(), DELAY_MAX_DEFAULT, 0);

    public RetryPolicy {
        phases = List.copyOf(phases);
        requireNonNull(delayMax, "delayMax");
        requireNonNull(randomDelay, "randomDelay");
        require(phases.size() <= PHASES_LIMIT, "phases", phases.size(), "at most " + PHASES_LIMIT);
        int retries = phases.stream().mapToInt(RetryPhase::retries).sum();
        require(retries <= RETRIES_LIMIT, "max_retries", retries, "0 to " + RETRIES_LIMIT);
        require(isDelay(delayMax), "max_delay", delayMax, "0s to " + DELAY_LIMIT);
        require(jitter >= 0 && jitter <= 1, "jitter", jitter, "0 to 1");
        require(isDelay(randomDelay), "random_delay", randomDelay, "0s to " + DELAY_LIMIT);
    }

    /** A policy by which an attempt that took too long is tried again as any other. */
    public RetryPolicy(List<RetryPhase> phases, Duration delayMax, double jitter, Duration randomDelay) {
        this(phases, delayMax, jitter, randomDelay, true);
    }

    /** A policy whose waits take no random time besides. */
    public RetryPolicy(List<RetryPhase> phases, Duration delayMax, double jitter) {
        this(phases, delayMax, jitter, Duration.ZERO);
    }

    /**
     * A policy of one phase, constant or exponential.
     *
     * @param retriesMax retries after the first attempt, 0 to {@link #RETRIES_LIMIT}
     * @param delay wait before the first retry
     * @param multiplier factor between one wait and the next, at least 1
     */
    public RetryPolicy(int retriesMax, Duration delay, double multiplier, Duration delayMax, double jitter) {
        this(onePhase(retriesMax, delay, multiplier), delayMax, jitter);
    }

    /** The phase of a policy that has one, constant or exponential; none without retries. */
    public static List<RetryPhase> onePhase(int retriesMax, Duration delay, double multiplier) {
        require(retriesMax >= 0 && retriesMax <= RETRIES_LIMIT, "max_retries", retriesMax, "0 to " + RETRIES_LIMIT);
        require(isDelay(delay), "delay", delay, "0s to " + DELAY_LIMIT);
        require(multiplier >= 1 && multiplier <= FACTOR_LIMIT, "multiplier", multiplier, "1 to " + FACTOR_LIMIT);
        if (retriesMax == 0) {
            return List.of();
        }
        return List.of(
                multiplier == 1
                        ? RetryPhase.constant(retriesMax, delay)
                        : RetryPhase.exponential(retriesMax, delay, multiplier));
    }

    /** The same, trying an attempt that took too long again or not. */
    public RetryPolicy afterTimeout(boolean wanted) {
        return new RetryPolicy(phases, delayMax, jitter, randomDelay, wanted);
    }

    /** Whether an attempt that failed with this error may be tried again, as long as there are retries left. */
    boolean mayRetry(JobError error) {
        return error.retryable() && (afterTimeout || !error.isTimeout());
    }

    /** Retries after the first attempt. */
    public int retriesMax() {
        int retries = 0;
        for (RetryPhase phase : phases) {
            retries += phase.retries();
        }
        return retries;
    }

    /**
     * The wait before retry number {@code retry}, from 1 to {@link #retriesMax}: what its phase says, capped, of which the share
     * {@code jitter} is scaled by {@code random} (0 to 1), as is the time that comes on top.
     */
    public Duration delayBefore(int retry, double random) {
        int before = 0;
        for (RetryPhase phase : phases) {
            if (retry <= before + phase.retries()) {
                double capped = Math.min(phase.waitMillis(retry - before, retry), (double) delayMax.toMillis());
                double wait = phase.steady()
                        ? capped
                        : capped * (1 - jitter * (1 - random)) + random * randomDelay.toMillis();
                return Duration.ofMillis(Math.round(wait));
            }
            before += phase.retries();
        }
        throw new IllegalArgumentException("retry: " + retry + " (expected: 1 to " + before + ")");
    }

    static boolean isDelay(Duration value) {
        return !value.isNegative() && value.compareTo(DELAY_LIMIT) <= 0;
    }

    static void require(boolean holds, String field, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
        }
    }
}
