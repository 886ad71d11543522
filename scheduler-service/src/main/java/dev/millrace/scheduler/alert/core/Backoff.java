package dev.millrace.scheduler.alert.core;

import java.time.Duration;
import java.util.Optional;

/** Decides when a message that was not taken is sent again. */
public final class Backoff {
    /** Time for which a message is sent again and again. */
    public static final Duration PATIENCE = Duration.ofHours(24);

    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(15);
    /** The longest time that a receiver may ask for. */
    private static final Duration ASKED_MAX = Duration.ofHours(1);

    private static final int DOUBLINGS_MAX = 20;
    /** Share of the delay that is left to chance, so that messages do not come all at once. */
    private static final double JITTER = 0.2;

    private Backoff() {}

    /**
     * Returns the delay before the next attempt; empty if the message is given up.
     *
     * @param attempts number of attempts so far, at least 1
     * @param age time since the message was written
     * @param asked delay that the receiver has asked for
     * @param random from 0 to 1
     */
    public static Optional<Duration> next(int attempts, Duration age, Optional<Duration> asked, double random) {
        if (age.compareTo(PATIENCE) >= 0) {
            return Optional.empty();
        }
        Duration doubled = FIRST.multipliedBy(1L << Math.min(attempts - 1, DOUBLINGS_MAX));
        Duration delay = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        long millis = (long) (delay.toMillis() * (1 - JITTER + 2 * JITTER * random));
        Duration wanted = asked.filter(time -> time.compareTo(ASKED_MAX) <= 0).orElse(ASKED_MAX);
        return Optional.of(asked.isPresent() && wanted.toMillis() > millis ? wanted : Duration.ofMillis(millis));
    }
}
