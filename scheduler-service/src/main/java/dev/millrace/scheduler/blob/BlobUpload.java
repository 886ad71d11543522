package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.jobapi.LeaseCredential;
import dev.millrace.scheduler.quota.BlobShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * One upload in progress. One thread at a time uses it. If it is closed before {@link #finish}, its row expires, and the
 * sweep deletes what was written.
 */
final class BlobUpload implements AutoCloseable {
    /** Time after which a row of an upload expires that shows no sign of life. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final Duration RENEWAL_INTERVAL = Duration.ofMinutes(1);

    private final BlobRowStore rows;
    private final BlobStorage storage;
    private final BlobSink sink;
    private final BlobShare share;
    private final BlobId id;
    private final BlobOwner owner;
    private final Announcement announced;
    private final long bytesMax;
    private final Duration unusedTime;
    private final Runnable closed;
    private final MessageDigest digest = sha256();
    private long bytes;
    private long renewedNanos = System.nanoTime();
    private boolean isClosed;

    /** @param closed called once, at the end of the upload */
    BlobUpload(
            BlobRowStore rows,
            BlobStorage storage,
            BlobSink sink,
            BlobShare share,
            BlobId id,
            BlobOwner owner,
            Announcement announced,
            long bytesMax,
            Duration unusedTime,
            Runnable closed) {
        this.rows = rows;
        this.storage = storage;
        this.sink = sink;
        this.share = share;
        this.id = id;
        this.owner = owner;
        this.announced = announced;
        this.bytesMax = bytesMax;
        this.unusedTime = unusedTime;
        this.closed = closed;
    }

    /** Adds the next bytes, and waits until they are on their way to the store. */
    void add(ByteBuffer data) {
        bytes += data.remaining();
        if (bytes > bytesMax) {
            throw tooLarge("more than " + bytesMax + " bytes", bytesMax);
        }
        if (bytes > announced.bytes().orElse(Long.MAX_VALUE)) {
            announced.requireKept(bytes, "");
        }
        takeRoom();
        digest.update(data.duplicate());
        try {
            sink.write(data);
        } catch (IOException failure) {
            throw Blobs.unavailable(storage.kind(), failure);
        }
        long now = System.nanoTime();
        if (now - renewedNanos > RENEWAL_INTERVAL.toNanos()) {
            renewedNanos = now;
            if (!rows.renew(id, LIFE)) {
                throw swept();
            }
        }
    }

    private void takeRoom() {
        boolean fits = false;
        try {
            share.takeUpTo(bytes);
            fits = true;
        } finally {
            if (!fits) {
                rows.abandon(id);
            }
        }
    }

    /** The failure of an upload of more bytes than a blob may have. */
    static MillraceException tooLarge(String size, long bytesMax) {
        return MillraceException.invalid(
                "data", size + " (expected: at most " + bytesMax + ", millrace.blob.bytes-max)");
    }

    /** Makes the blob durable and readable. */
    Blob finish() {
        byte[] hash = digest.digest();
        String sha256 = HexFormat.of().formatHex(hash);
        announced.requireKept(bytes, sha256);
        try {
            sink.finish();
        } catch (IOException failure) {
            throw Blobs.unavailable(storage.kind(), failure);
        }
        return switch (rows.complete(id, owner, bytes, hash, unusedTime)) {
            case DONE -> {
                share.keep(bytes);
                yield new Blob(id, storage.kind(), announced.mediaType(), bytes, sha256);
            }
            case LEASE_LOST -> throw LeaseCredential.lost();
            case SWEPT -> throw swept();
        };
    }

    private static MillraceException swept() {
        return MillraceException.overloaded(
                "The upload has paused for more than " + LIFE.toMinutes() + " minutes, so what it had sent was deleted:"
                        + " begin it again.",
                Duration.ofSeconds(1));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            share.close();
            try {
                sink.close();
            } finally {
                closed.run();
            }
        }
    }
}
