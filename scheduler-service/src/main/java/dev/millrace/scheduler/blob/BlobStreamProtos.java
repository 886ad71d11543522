package dev.millrace.scheduler.blob;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.scheduler.rpc.PacedStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;

/** Maps blobs and their bytes to the messages of streams. */
final class BlobStreamProtos {
    /** Maximum number of bytes of a message to a caller. */
    static final int PART_BYTES_MAX = 256 << 10;

    private BlobStreamProtos() {}

    static dev.millrace.proto.blob.v1.Blob blob(Blob blob) {
        return dev.millrace.proto.blob.v1.Blob.newBuilder()
                .setId(blob.id().toString())
                .setBytes(blob.bytes())
                .setSha256(blob.sha256())
                .setMediaType(blob.mediaType())
                .build();
    }

    /** Sends a part of a blob, at the pace of the caller. */
    static <A> void send(Blobs blobs, Blob blob, BlobRange range, Function<BlobPart, A> answer, PacedStream<A> stream)
            throws InterruptedException {
        stream.send(answer.apply(BlobPart.newBuilder()
                .setBlob(blob(blob))
                .setOffset(range.offset())
                .setLength(range.length())
                .build()));
        if (range.length() > 0) {
            try (InputStream bytes = blobs.open(blob, range.offset())) {
                send(bytes, range.length(), answer, stream);
            } catch (IOException failure) {
                throw Blobs.unavailable(blob.store(), failure);
            }
        }
    }

    private static <A> void send(InputStream bytes, long length, Function<BlobPart, A> answer, PacedStream<A> stream)
            throws IOException, InterruptedException {
        long left = length;
        while (left > 0) {
            stream.awaitReady();
            byte[] part = bytes.readNBytes((int) Math.min(left, PART_BYTES_MAX));
            if (part.length == 0) {
                throw new EOFException(left + " bytes are missing");
            }
            left -= part.length;
            ByteString data = UnsafeByteOperations.unsafeWrap(part);
            stream.send(answer.apply(BlobPart.newBuilder().setData(data).build()));
        }
    }
}
