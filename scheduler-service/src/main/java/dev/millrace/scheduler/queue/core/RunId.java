package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Identifies a run: the id of its root job. */
public record RunId(UUID value) {
    private static final Duration CLOCKS_APART = Duration.ofHours(1);

    public RunId {
        requireNonNull(value, "value");
    }

    /**
     * Parses the canonical text form.
     *
     * @throws IllegalArgumentException if the text has any other form
     */
    public static RunId parse(String text) {
        return new RunId(Uuids.parse(text));
    }

    /** The root job of this run. */
    public JobId rootJob() {
        return new JobId(value);
    }

    /** The bucket of all jobs of this run. */
    public Bucket bucket() {
        return Bucket.of(value);
    }

    /**
     * A number that increases with the time at which the run was accepted: the id's milliseconds since 1970 and its
     * counter.
     */
    public long orderKey() {
        long high = value.getMostSignificantBits();
        return (high >>> 16 << 12) | (high & 0xfff);
    }

    /**
     * A lower bound of the ids of the run's jobs, with which a query skips the days before the run. {@link IdSource}
     * makes the ids of jobs greater than the run's own id. The hour in between is for ids that older versions made with
     * clocks that differ.
     */
    public UUID jobsSince() {
        long high = value.getMostSignificantBits() - (CLOCKS_APART.toMillis() << 16);
        return new UUID(Math.max(0, high), 0);
    }

    /** The amount by which order keys grow in this time. */
    static long orderKeys(Duration time) {
        return time.toMillis() << 12;
    }

    // Written by hand because maps look up each run by this key, and generated methods call through method handles.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
