package dev.millrace.worker.internal.jobapi;

import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.LoadJobBlobRequest;
import dev.millrace.proto.worker.v1.LoadJobBlobResponse;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import io.grpc.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;

/** Writes the bytes of a blob into a new file. The next message is requested when the one before has been written. */
final class BlobDownload {
    private BlobDownload() {}

    /** Returns the reference of the blob. A failed download leaves no file. */
    static String run(Channel channel, LeasedJob job, String blobId, Path file) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            return run(channel, job, blobId, file, out);
        }
    }

    private static String run(Channel channel, LeasedJob job, String blobId, Path file, FileChannel out)
            throws IOException {
        Context.CancellableContext call = Context.current().withCancellation();
        Context before = call.attach();
        boolean isWhole = false;
        try {
            LoadJobBlobRequest request = LoadJobBlobRequest.newBuilder()
                    .setJobId(job.jobId())
                    .setLeaseToken(job.key().token())
                    .setBlobId(blobId)
                    .build();
            Blob blob = receive(job, JobBlobServiceGrpc.newBlockingStub(channel).loadJobBlob(request), out);
            isWhole = true;
            return BlobReference.json(blob);
        } finally {
            call.detach(before);
            call.cancel(null);
            if (!isWhole) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Blob receive(LeasedJob job, Iterator<LoadJobBlobResponse> parts, FileChannel out)
            throws IOException {
        Blob blob = Blob.getDefaultInstance();
        while (parts.hasNext()) {
            BlobReference.requireHeld(job);
            BlobPart part = parts.next().getPart();
            blob = part.hasBlob() ? part.getBlob() : blob;
            for (ByteBuffer bytes : part.getData().asReadOnlyByteBufferList()) {
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
        }
        if (out.position() != blob.getBytes()) {
            throw new IOException(out.position() + " of " + blob.getBytes() + " bytes have arrived");
        }
        return blob;
    }
}
