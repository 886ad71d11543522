package dev.millrace.scheduler.runtime;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time of this machine, for ids and for people. Wherever time decides anything, the database's clock is used instead.
 */
public final class WallClock {
    private WallClock() {}

    public static long millis() {
        return System.currentTimeMillis();
    }

    public static Instant now() {
        return Instant.now();
    }

    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now());
    }
}
