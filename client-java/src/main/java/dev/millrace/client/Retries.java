package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How calls are repeated. Every call is safe to repeat: those that change something carry a request id.
 *
 * @param attemptsMax most attempts of one call, the first included; 1 repeats nothing
 * @param timeMax longest time from the first attempt to the end of the last
 * @param delayMin delay before the second attempt; later delays double
 * @param delayMax longest delay, unless the scheduler asks for a longer one
 */
public record Retries(int attemptsMax, Duration timeMax, Duration delayMin, Duration delayMax) {
    /** 12 attempts within 60 seconds, with delays from 0.1 to 5 seconds. */
    public static final Retries DEFAULT =
            new Retries(12, Duration.ofSeconds(60), Duration.ofMillis(100), Duration.ofSeconds(5));

    /** Repeats nothing. */
    public static final Retries NONE = DEFAULT.withAttemptsMax(1);

    public Retries {
        requireNonNull(timeMax, "timeMax");
        if (attemptsMax < 1) {
            throw new IllegalArgumentException("attemptsMax: " + attemptsMax + " (expected: 1 or more)");
        }
        if (delayMin.isNegative() || delayMin.compareTo(delayMax) > 0) {
            throw new IllegalArgumentException(
                    "delayMin: " + delayMin + " (expected: from 0 to delayMax, which is " + delayMax + ")");
        }
    }

    public Retries withAttemptsMax(int attempts) {
        return new Retries(attempts, timeMax, delayMin, delayMax);
    }

    public Retries withTimeMax(Duration longest) {
        return new Retries(attemptsMax, longest, delayMin, delayMax);
    }
}
