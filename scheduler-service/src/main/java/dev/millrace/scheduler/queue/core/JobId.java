package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Identifies a job. A UUID of version 7 whose low bits are the bucket of its run. */
public record JobId(UUID value) implements Comparable<JobId> {
    public JobId {
        requireNonNull(value, "value");
    }

    /**
     * Parses the canonical text form.
     *
     * @throws IllegalArgumentException if the text has any other form
     */
    public static JobId parse(String text) {
        return new JobId(Uuids.parse(text));
    }

    public Bucket bucket() {
        return Bucket.of(value);
    }

    /** Orders ids by unsigned bytes, like Postgres. */
    @Override
    public int compareTo(JobId other) {
        return Uuids.compareUnsigned(value, other.value);
    }

    // Written by hand because maps look up each step by this key, and generated methods call through method handles.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobId that && value.equals(that.value);
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
