package dev.millrace.bench.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock shared by all processes of one machine. */
final class WallClock {
    private WallClock() {}

    /** Microseconds since 1970. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
