package dev.millrace.scheduler.quota;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What one upload takes of the bytes that the blobs of a workspace may have. One thread at a time uses it. */
public final class BlobShare implements AutoCloseable {
    private final Workspace workspace;
    private final BlobUse use;
    private final LongSupplier max;
    private final Runnable refused;
    private long bytes;

    /**
     * Begins with no bytes.
     *
     * @param max the quota; 0 for no limit
     * @param refused counts a refusal
     */
    BlobShare(Workspace workspace, BlobUse use, LongSupplier max, Runnable refused) {
        this.workspace = workspace;
        this.use = use;
        this.max = max;
        this.refused = refused;
    }

    /** Takes room for all bytes up to a length, or fails if the quota has none. Blocking, since it may count. */
    public void takeUpTo(long length) {
        long more = length - bytes;
        if (more <= 0) {
            return;
        }
        long limit = max.getAsLong();
        long used = use.take(more, limit);
        if (used >= 0) {
            refused.run();
            throw MillraceException.quotaExceeded(refusal(length, used - bytes, limit));
        }
        bytes = length;
    }

    private String refusal(long length, long others, long limit) {
        return String.format(
                Locale.ROOT,
                "Workspace %s may have %,d bytes of blobs (quota blob_bytes_max), and has %,d: a blob of %,d bytes or more does not fit,"
                        + " and nothing was stored. Delete blobs or the runs that use them, or ask an owner of the installation for a higher"
                        + " quota.",
                workspace,
                limit,
                others,
                length);
    }

    /** Notes that the blob is complete, so that its bytes count as stored. */
    public void keep(long length) {
        use.stored(length);
    }

    @Override
    public void close() {
        use.release(bytes);
        bytes = 0;
    }
}
