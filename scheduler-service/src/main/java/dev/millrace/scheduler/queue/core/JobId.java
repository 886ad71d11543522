package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Identifies one job. A UUID of version 7 whose low bits name the bucket of its run. */
public record JobId(UUID value) implements Comparable<JobId> {
    public JobId {
        requireNonNull(value, "value");
    }

    /** Reads the canonical text form. Fails with {@link IllegalArgumentException} on anything else. */
    public static JobId parse(String text) {
        return new JobId(Uuids.parse(text));
    }

    /** The bucket of the job's run. */
    public Bucket bucket() {
        return Bucket.of(value);
    }

    /** Orders ids as Postgres orders them: by unsigned bytes. */
    @Override
    public int compareTo(JobId other) {
        return Uuids.compareUnsigned(value, other.value);
    }

    // Written out: the generated ones are called through method handles, and this is a key of the maps that each step
    // is looked up in.

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
