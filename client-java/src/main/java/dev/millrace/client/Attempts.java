package dev.millrace.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Decides whether and when a failed call is tried again. Not thread-safe. */
final class Attempts {
    private static final int DOUBLINGS_MAX = 30;

    private final Retries retries;
    private final long nanosMax;
    private final LongSupplier clock;
    private final DoubleSupplier random;
    private long deadline;
    private int failures;

    /**
     * Begins with the first attempt.
     *
     * @param more time that this call may take in addition
     * @param clock monotonic nanoseconds
     * @param random numbers from 0 to 1, for the jitter
     */
    Attempts(Retries retries, Duration more, LongSupplier clock, DoubleSupplier random) {
        this.retries = retries;
        this.nanosMax = retries.timeMax().plus(more).toNanos();
        this.clock = clock;
        this.random = random;
        this.deadline = clock.getAsLong() + nanosMax;
    }

    /** Time for the next attempt, at most {@code longest}. */
    Duration timeout(Duration longest) {
        long left = Math.max(Duration.ofMillis(1).toNanos(), deadline - clock.getAsLong());
        return Duration.ofNanos(Math.min(longest.toNanos(), left));
    }

    /** Records that a stream has delivered something: its attempts count anew. */
    void progressed() {
        failures = 0;
        deadline = clock.getAsLong() + nanosMax;
    }

    /** Returns the time to wait before the next attempt. Throws the error if another is pointless, or comes too late. */
    Duration delayAfter(ClientException error) {
        failures++;
        if (!error.mayPass() || failures >= retries.attemptsMax()) {
            throw error;
        }
        double grown = (double) retries.delayMin().toNanos() * Math.pow(2, Math.min(failures - 1, DOUBLINGS_MAX));
        double due = Math.min((double) retries.delayMax().toNanos(), grown);
        long delay = Math.max(
                (long) (due / 2 * (1 + random.getAsDouble())),
                error.retryAfter().orElse(Duration.ZERO).toNanos());
        if (clock.getAsLong() + delay - deadline >= 0) {
            throw error;
        }
        return Duration.ofNanos(delay);
    }
}
