package dev.millrace.worker.internal.jobapi;

import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Status;

/** The JSON that stands for a blob in payloads, and what both directions of a transfer ask of the job. */
final class BlobReference {
    /** Bytes of a part: what the scheduler sends in one message. */
    static final int PART_BYTES_MAX = 256 << 10;

    private BlobReference() {}

    /** Returns the reference. The media type has printable ASCII characters only, as the scheduler requires. */
    static String json(Blob blob) {
        String mediaType = blob.getMediaType().replace("\\", "\\\\").replace("\"", "\\\"");
        return "{\"$blob\":\"" + blob.getId() + "\",\"bytes\":" + blob.getBytes() + ",\"sha256\":\"" + blob.getSha256()
                + "\",\"media_type\":\"" + mediaType + "\"}";
    }

    /** Ends the transfer of a job that has ended or lost its lease. */
    static void requireHeld(LeasedJob job) {
        if (!job.isHeld()) {
            throw Status.FAILED_PRECONDITION
                    .withDescription("The job has ended or lost its lease, so it cannot save or load blobs.")
                    .asRuntimeException();
        }
    }
}
