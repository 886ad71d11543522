package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Uuids;
import java.util.UUID;

/** Identifies one operation on many runs. */
record BulkId(UUID value) {
    BulkId {
        requireNonNull(value, "value");
    }

    /** Reads the canonical text form. Fails with {@link IllegalArgumentException} on anything else. */
    static BulkId parse(String text) {
        return new BulkId(Uuids.parse(text));
    }

    /** The name under which each run has the operation once, however often it is tried. */
    String requestId() {
        return "bulk:" + value;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
