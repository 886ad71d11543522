package dev.millrace.scheduler.retention;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/** The time before which rows are old, by the database's clock, and the same time as an id. */
record Cutoff(OffsetDateTime time) {
    private static final int MILLIS_SHIFT = 16;

    static Cutoff of(OffsetDateTime now, Duration age) {
        return new Cutoff(now.minus(age));
    }

    /** Ids made before the cutoff are less than this id. */
    UUID id() {
        return leastId(time.toInstant());
    }

    /** The value to compare a column with. */
    Object in(Since since) {
        return since.isId() ? id() : time;
    }

    /** Ids made at this time or later are not less than this id. */
    static UUID leastId(Instant time) {
        return new UUID(Math.max(0, time.toEpochMilli()) << MILLIS_SHIFT, 0);
    }

    /** When an id was made. */
    static Instant madeAt(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> MILLIS_SHIFT);
    }

    static Instant startOf(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
