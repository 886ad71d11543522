package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

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

    @Override
    public String toString() {
        return value.toString();
    }
}
