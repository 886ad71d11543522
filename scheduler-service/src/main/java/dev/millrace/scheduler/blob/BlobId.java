package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.MillraceException;
import java.util.UUID;

/** Id of a blob. */
record BlobId(UUID value) {
    BlobId {
        requireNonNull(value, "value");
    }

    /** Reads the field {@code blob_id} of a request. */
    static BlobId parse(String text) {
        try {
            return new BlobId(UUID.fromString(text));
        } catch (IllegalArgumentException notAnId) {
            throw MillraceException.invalid("blob_id", "\"" + text + "\" (expected: a UUID)");
        }
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
