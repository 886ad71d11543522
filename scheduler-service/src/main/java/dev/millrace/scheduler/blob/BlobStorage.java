package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.config.BlobStoreKind;
import java.io.IOException;
import java.io.InputStream;

/**
 * A place for the bytes of blobs. It knows nothing of their rows, which say which blobs there are. Thread-safe; any
 * number of schedulers may share a place.
 */
interface BlobStorage extends AutoCloseable {
    /** The storage that rows name by this kind. */
    BlobStoreKind kind();

    /** Memory that a sink holds for bytes on their way, in bytes. */
    int sinkBytes();

    /** Begins to write a blob. The caller closes the sink. */
    BlobSink create(BlobId id) throws IOException;

    /**
     * Reads a blob from a place on, never the whole blob at once. The caller closes the stream.
     *
     * @param offset less than the length of the blob
     */
    InputStream open(BlobId id, long offset) throws IOException;

    /** Deletes a blob, also one that was begun and never finished. Does nothing if there is none. */
    void delete(BlobId id) throws IOException;

    @Override
    default void close() {}
}
