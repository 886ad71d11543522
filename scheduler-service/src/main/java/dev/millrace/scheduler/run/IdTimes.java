package dev.millrace.scheduler.run;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Bounds on the ids of jobs by time. Ids grow with the time at which they were made, on the clock of the scheduler that
 * made them. Queries that also bound ids let Postgres skip earlier and later rows, including whole partitions.
 */
public final class IdTimes {
    /** Largest difference between the clocks of two schedulers, or of a scheduler and the database. */
    private static final Duration DIFFERENCE_MAX = Duration.ofHours(1);

    private static final int MILLIS_SHIFT = 16;
    private static final Instant FIRST = Instant.EPOCH.plus(DIFFERENCE_MAX);
    /** Later than any time that matters, and within the range of ids. */
    private static final Instant LAST = Instant.ofEpochMilli(1L << 46);

    private IdTimes() {}

    /** No job made at this time or later has a smaller id. */
    public static UUID least(Instant time) {
        return firstOf(held(time).minus(DIFFERENCE_MAX));
    }

    /** All jobs made before this time have smaller ids. */
    public static UUID beyond(Instant time) {
        return firstOf(held(time).plus(DIFFERENCE_MAX));
    }

    /** The time at which the id was made. */
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
