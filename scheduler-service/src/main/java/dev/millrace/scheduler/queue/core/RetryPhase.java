package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Some retries of a {@link RetryPolicy} whose waits follow one rule.
 *
 * @param shape the rule
 * @param retries how many, 1 to {@link RetryPolicy#RETRIES_LIMIT}
 * @param delay what the waits are made of
 * @param factor see {@link Shape}; at least 1
 * @param steady whether nothing of its waits is random, whatever the policy says
 */
public record RetryPhase(Shape shape, int retries, Duration delay, double factor, boolean steady) {
    /** How waits grow from one retry to the next. */
    public enum Shape {
        /** Each wait is {@code delay}. */
        CONSTANT,
        /** The n-th wait of the phase is {@code delay · factor · n}. */
        LINEAR,
        /** The n-th wait of the phase is {@code delay · factor^(n−1)}. */
        EXPONENTIAL,
        /** The wait before retry number n of the whole policy is {@code factor · s^n} seconds, {@code s} being the delay in seconds. */
        POWER
    }

    public RetryPhase {
        requireNonNull(shape, "shape");
        RetryPolicy.require(
                retries >= 1 && retries <= RetryPolicy.RETRIES_LIMIT,
                "max_retries",
                retries,
                "1 to " + RetryPolicy.RETRIES_LIMIT);
        RetryPolicy.require(RetryPolicy.isDelay(delay), "delay", delay, "0s to " + RetryPolicy.DELAY_LIMIT);
        RetryPolicy.require(
                factor >= (shape == Shape.EXPONENTIAL ? 1 : 0) && factor <= RetryPolicy.FACTOR_LIMIT,
                "factor",
                factor,
                (shape == Shape.EXPONENTIAL ? 1 : 0) + " to " + RetryPolicy.FACTOR_LIMIT);
    }

    /** Some retries whose waits are jittered as the policy says. */
    public RetryPhase(Shape shape, int retries, Duration delay, double factor) {
        this(shape, retries, delay, factor, false);
    }

    /** The same, without jitter where {@code wanted}. */
    public RetryPhase steady(boolean wanted) {
        return new RetryPhase(shape, retries, delay, factor, wanted);
    }

    /** Waits of the same length. */
    public static RetryPhase constant(int retries, Duration delay) {
        return new RetryPhase(Shape.CONSTANT, retries, delay, 1);
    }

    /** Waits that grow by the same step. */
    public static RetryPhase linear(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.LINEAR, retries, delay, factor);
    }

    /** Waits that grow by the same factor. */
    public static RetryPhase exponential(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.EXPONENTIAL, retries, delay, factor);
    }

    /** Waits that are powers of the delay in seconds. */
    public static RetryPhase power(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.POWER, retries, delay, factor);
    }

    /**
     * The wait in milliseconds, not capped; may be infinite.
     *
     * @param inPhase number of the retry in this phase, from 1
     * @param inAll number of the retry in the whole policy, from 1
     */
    double waitMillis(int inPhase, int inAll) {
        double millis = (double) delay.toMillis();
        return switch (shape) {
            case CONSTANT -> millis;
            case LINEAR -> millis * factor * inPhase;
            case EXPONENTIAL -> millis * Math.pow(factor, inPhase - 1.0);
            case POWER -> 1_000 * factor * Math.pow(millis / 1_000, inAll);
        };
    }
}
