package dev.millrace.bench.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock that all processes of one machine share. */
final class WallClock {
    private WallClock() {}

    /** Microseconds since 1970. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
