package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * How often and when failed jobs of a run are tried again.
 *
 * @param maxRetries retries after the first attempt
 * @param delay time before the first retry
 * @param multiplier factor between one delay and the next
 * @param maxDelay longest delay; empty means one hour
 * @param jitter random share of each delay, from 0 to 1
 */
public record RetryPolicy(
        int maxRetries, Duration delay, double multiplier, Optional<Duration> maxDelay, double jitter) {
    public RetryPolicy {
        requireNonNull(delay, "delay");
        requireNonNull(maxDelay, "maxDelay");
    }

    /** The same delay before each retry. */
    public static RetryPolicy constant(int maxRetries, Duration delay) {
        return new RetryPolicy(maxRetries, delay, 1.0, Optional.empty(), 0.0);
    }

    /** Delays that double, up to an hour. */
    public static RetryPolicy exponential(int maxRetries, Duration delay) {
        return new RetryPolicy(maxRetries, delay, 2.0, Optional.empty(), 0.0);
    }

    dev.millrace.proto.common.v1.RetryPolicy message() {
        var message = dev.millrace.proto.common.v1.RetryPolicy.newBuilder()
                .setMaxRetries(maxRetries)
                .setDelay(Times.message(delay))
                .setMultiplier(multiplier)
                .setJitter(jitter);
        maxDelay.ifPresent(longest -> message.setMaxDelay(Times.message(longest)));
        return message.build();
    }
}
