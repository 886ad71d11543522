package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * A number of consecutive retries in a {@link RetryPolicy} whose delays follow one rule.
 *
 * @param shape the rule
 * @param retries number of retries, 1 to {@link RetryPolicy#RETRIES_LIMIT}
 * @param delay base of the delays
 * @param factor see {@link Shape}; at least 1 for {@link Shape#EXPONENTIAL}, otherwise at least 0
 * @param steady whether no part of the delays is random, whatever the policy says
 */
public record RetryPhase(Shape shape, int retries, Duration delay, double factor, boolean steady) {
    /** How delays change from one retry to the next. */
    public enum Shape {
        /** Each delay is {@code delay}. */
        CONSTANT,
        /** The n-th delay of the phase is {@code delay · factor · n}. */
        LINEAR,
        /** The n-th delay of the phase is {@code delay · factor^(n−1)}. */
        EXPONENTIAL,
        /**
         * The delay before retry n of the whole policy is {@code factor · s^n} seconds, where {@code s} is
         * {@code delay} in seconds.
         */
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

    /** Creates a phase whose delays have the jitter of the policy. */
    public RetryPhase(Shape shape, int retries, Duration delay, double factor) {
        this(shape, retries, delay, factor, false);
    }

    /** Returns this phase with or without jitter. */
    public RetryPhase steady(boolean wanted) {
        return new RetryPhase(shape, retries, delay, factor, wanted);
    }

    /** Delays of the same length. */
    public static RetryPhase constant(int retries, Duration delay) {
        return new RetryPhase(Shape.CONSTANT, retries, delay, 1);
    }

    /** Delays that grow by a constant amount. */
    public static RetryPhase linear(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.LINEAR, retries, delay, factor);
    }

    /** Delays that grow by a constant factor. */
    public static RetryPhase exponential(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.EXPONENTIAL, retries, delay, factor);
    }

    /** Delays that are powers of {@code delay} in seconds. */
    public static RetryPhase power(int retries, Duration delay, double factor) {
        return new RetryPhase(Shape.POWER, retries, delay, factor);
    }

    /**
     * Returns the delay in milliseconds, without an upper bound; may be infinite.
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
