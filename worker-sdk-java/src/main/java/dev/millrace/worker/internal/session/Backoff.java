package dev.millrace.worker.internal.session;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Delays between attempts to connect. They double up to a limit, with jitter so that workers do not return in step. */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration MAX = Duration.ofSeconds(3);

    private final RandomGenerator random;
    private int failures;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the delay after another failure: between half of the due time and all of it. */
    Duration next() {
        long dueMillis = MAX.toMillis();
        if (failures < Long.SIZE - Long.numberOfLeadingZeros(MAX.toMillis())) {
            dueMillis = Math.min(dueMillis, FIRST.toMillis() << failures);
        }
        failures++;
        return Duration.ofMillis(dueMillis / 2 + random.nextLong(dueMillis / 2 + 1));
    }

    void reset() {
        failures = 0;
    }
}
