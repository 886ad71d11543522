package dev.millrace.scheduler.run;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * What the ids of jobs tell about time: they grow with the time at which they were made, on the clock of the scheduler that made them. Where a
 * search is bounded by ids, too, Postgres skips what is earlier and later, whole partitions included.
 */
public final class IdTimes {
    /** Between the clocks of two schedulers, or of one and the database. */
    private static final Duration DIFFERENCE_MAX = Duration.ofHours(1);

    private static final int MILLIS_SHIFT = 16;
    private static final Instant FIRST = Instant.EPOCH.plus(DIFFERENCE_MAX);
    /** Beyond all times that matter, and within what an id can hold. */
    private static final Instant LAST = Instant.ofEpochMilli(1L << 46);

    private IdTimes() {}

    /** No job that was made then or later has a lesser id. */
    public static UUID least(Instant time) {
        return firstOf(held(time).minus(DIFFERENCE_MAX));
    }

    /** All jobs that were made before have lesser ids. */
    public static UUID beyond(Instant time) {
        return firstOf(held(time).plus(DIFFERENCE_MAX));
    }

    /** When the id was made. */
    public static Instant madeAt(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> MILLIS_SHIFT);
    }

    private static Instant held(Instant time) {
        return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
    }

    private static UUID firstOf(Instant time) {
        return new UUID(time.toEpochMilli() << MILLIS_SHIFT, 0);
    }
}
