package dev.millrace.scheduler.runtime;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of this machine: for ids and for people. Time that decides anything is the database's. */
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
