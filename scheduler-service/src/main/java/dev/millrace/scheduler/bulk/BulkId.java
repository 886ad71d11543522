package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Uuids;
import java.util.UUID;

record BulkId(UUID value) {
    BulkId {
        requireNonNull(value, "value");
    }

    /**
     * Reads the canonical text form.
     *
     * @throws IllegalArgumentException if the text has any other form
     */
    static BulkId parse(String text) {
        return new BulkId(Uuids.parse(text));
    }

    /** Request id of the operation on each run. It makes the operation idempotent, however often it is tried. */
    String requestId() {
        return "bulk:" + value;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
