package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * When and how often a failed job is retried, phase after phase. Each delay is first capped, then partly randomized.
 *
 * @param phases in the order of their use, with at most {@link #RETRIES_LIMIT} retries together; empty for no retries
 * @param delayMax upper bound of a delay, before {@code randomDelay} is added
 * @param jitter share of the delay that is random, 0 to 1; does not apply to steady phases
 * @param randomDelay maximum random time added to each delay, even beyond {@code delayMax}; does not apply to steady
 *     phases
 * @param afterTimeout whether an attempt that exceeded its timeout is also retried
 */
public record RetryPolicy(
        List<RetryPhase> phases, Duration delayMax, double jitter, Duration randomDelay, boolean afterTimeout) {
    /** Maximum number of retries of a policy. */
    public static final int RETRIES_LIMIT = 100_000;
    /** Maximum number of phases of a policy. */
    public static final int PHASES_LIMIT = 10;
    /** Largest factor of a phase. */
    public static final int FACTOR_LIMIT = 1_000;
    /** Longest delay of a policy. */
    public static final Duration DELAY_LIMIT = Duration.ofDays(30);
    /** Upper bound of delays in a policy that states none. */
    public static final Duration DELAY_MAX_DEFAULT = Duration.ofHours(1);
    /** No retries. */
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

    /** Creates a policy that also retries after a timeout. */
    public RetryPolicy(List<RetryPhase> phases, Duration delayMax, double jitter, Duration randomDelay) {
        this(phases, delayMax, jitter, randomDelay, true);
    }

    /** Creates a policy without an additional random delay. */
    public RetryPolicy(List<RetryPhase> phases, Duration delayMax, double jitter) {
        this(phases, delayMax, jitter, Duration.ZERO);
    }

    /**
     * Creates a policy with a single constant or exponential phase.
     *
     * @param retriesMax retries after the first attempt, 0 to {@link #RETRIES_LIMIT}
     * @param delay delay before the first retry
     * @param multiplier factor between consecutive delays, at least 1
     */
    public RetryPolicy(int retriesMax, Duration delay, double multiplier, Duration delayMax, double jitter) {
        this(onePhase(retriesMax, delay, multiplier), delayMax, jitter);
    }

    /** Returns the only phase of a policy, constant or exponential; empty for no retries. */
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

    /** Returns this policy with or without retries after a timeout. */
    public RetryPolicy afterTimeout(boolean wanted) {
        return new RetryPolicy(phases, delayMax, jitter, randomDelay, wanted);
    }

    /** Returns whether an error may be retried, provided that retries are left. */
    boolean mayRetry(JobError error) {
        return error.retryable() && (afterTimeout || !error.isTimeout());
    }

    /** Number of retries after the first attempt. */
    public int retriesMax() {
        int retries = 0;
        for (RetryPhase phase : phases) {
            retries += phase.retries();
        }
        return retries;
    }

    /**
     * Returns the delay before a retry. The phase determines the delay, which is then capped. {@code random} scales the
     * share {@code jitter} of it, and the additional random delay.
     *
     * @param retry number of the retry, from 1 to {@link #retriesMax}
     * @param random from 0 to 1
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
