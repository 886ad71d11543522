package dev.millrace.scheduler.schedule.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/**
 * How a schedule deals with its ticks.
 *
 * @param catchUp how late a tick may start its run
 * @param jitter each tick starts its run up to so much later, by a time that follows from the schedule and the tick
 */
public record Conduct(OverlapPolicy overlap, Duration catchUp, Duration jitter) {
    /** How late a tick may start its run if the author says nothing. */
    public static final Duration CATCH_UP_DEFAULT = Duration.ofHours(1);
    /** Longest time for which ticks are caught up. */
    public static final Duration CATCH_UP_MAX = Duration.ofDays(366);
    /** Longest jitter. */
    public static final Duration JITTER_MAX = Duration.ofHours(24);

    public Conduct {
        requireNonNull(overlap, "overlap");
        requireNonNull(catchUp, "catchUp");
        requireNonNull(jitter, "jitter");
    }

    /** When the tick of a schedule starts its run. */
    public Instant fireAt(Instant tick, long seed) {
        long max = jitter.toMillis();
        return max == 0 ? tick : tick.plusMillis(Math.floorMod(mix(seed ^ tick.toEpochMilli()), max));
    }

    /** The finalizer of SplitMix64, which spreads its bits evenly. */
    private static long mix(long value) {
        long first = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        long second = (first ^ first >>> 27) * 0x94d049bb133111ebL;
        return second ^ second >>> 31;
    }
}
