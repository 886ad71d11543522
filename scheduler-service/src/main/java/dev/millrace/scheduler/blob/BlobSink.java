package dev.millrace.scheduler.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A blob that is being written, by one thread at a time. */
interface BlobSink extends AutoCloseable {
    /** Adds these bytes. Waits until the storage can take more. */
    void write(ByteBuffer bytes) throws IOException;

    /** Makes all bytes durable and readable. */
    void finish() throws IOException;

    /** Releases what the sink holds. Without {@link #finish} before, the bytes are left to {@link BlobStorage#delete}. */
    @Override
    void close();
}
