package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.config.BlobStoreKind;

/**
 * A complete blob.
 *
 * @param store where its bytes are
 * @param bytes number of bytes
 * @param sha256 of the bytes, in lower-case hexadecimal digits
 */
record Blob(BlobId id, BlobStoreKind store, String mediaType, long bytes, String sha256) {
    Blob {
        requireNonNull(id, "id");
        requireNonNull(store, "store");
        requireNonNull(mediaType, "mediaType");
        requireNonNull(sha256, "sha256");
    }
}
