package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A blob in a list.
 *
 * @param createdAt when its upload began
 * @param isUsed whether a run has saved or loaded it
 */
record ListedBlob(Blob blob, Instant createdAt, boolean isUsed) {
    ListedBlob {
        requireNonNull(blob, "blob");
        requireNonNull(createdAt, "createdAt");
    }
}
