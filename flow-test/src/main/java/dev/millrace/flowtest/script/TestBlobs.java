package dev.millrace.flowtest.script;

import com.google.protobuf.ByteString;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.LoadJobBlobRequest;
import dev.millrace.proto.worker.v1.LoadJobBlobResponse;
import dev.millrace.proto.worker.v1.SaveJobBlobRequest;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keeps the blobs of one test in memory. */
final class TestBlobs extends JobBlobServiceGrpc.JobBlobServiceImplBase {
    /** Number of bytes that all blobs of a test have at most. */
    private static final long BYTES_MAX = 64 << 20;

    private static final int PART_BYTES = 256 << 10;

    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    private record Kept(Blob blob, ByteString data) {}

    /** Forgets all blobs. */
    void clear() {
        kept.clear();
        bytes.set(0);
    }

    @Override
    public StreamObserver<SaveJobBlobRequest> saveJobBlob(StreamObserver<SaveJobBlobResponse> observer) {
        return new StreamObserver<>() {
            private final ByteArrayOutputStream data = new ByteArrayOutputStream();
            private @Nullable String mediaType;
            private boolean isOver;

            @Override
            public void onNext(SaveJobBlobRequest part) {
                mediaType = mediaType == null ? part.getMediaType() : mediaType;
                if (!isOver && bytes.addAndGet(part.getData().size()) > BYTES_MAX) {
                    isOver = true;
                    observer.onError(Status.INVALID_ARGUMENT
                            .withDescription("The blobs of a test may have " + BYTES_MAX
                                    + " bytes together: let the test use smaller ones.")
                            .asRuntimeException());
                }
                write(part.getData());
            }

            private void write(ByteString part) {
                try {
                    if (!isOver) {
                        part.writeTo(data);
                    }
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }

            @Override
            public void onError(Throwable canceled) {
                isOver = true;
            }

            @Override
            public void onCompleted() {
                if (!isOver) {
                    observer.onNext(SaveJobBlobResponse.newBuilder()
                            .setBlob(keep(String.valueOf(mediaType), ByteString.copyFrom(data.toByteArray())))
                            .build());
                    observer.onCompleted();
                }
            }
        };
    }

    private Blob keep(String mediaType, ByteString data) {
        Blob blob = Blob.newBuilder()
                .setId(UUID.randomUUID().toString())
                .setBytes(data.size())
                .setSha256(sha256(data))
                .setMediaType(mediaType)
                .build();
        kept.put(blob.getId(), new Kept(blob, data));
        return blob;
    }

    @Override
    public void loadJobBlob(LoadJobBlobRequest request, StreamObserver<LoadJobBlobResponse> observer) {
        Kept found = kept.get(request.getBlobId());
        if (found == null) {
            observer.onError(Status.NOT_FOUND
                    .withDescription(
                            "The test has no blob " + request.getBlobId() + ": only a step of it can save one.")
                    .asRuntimeException());
            return;
        }
        observer.onNext(part(BlobPart.newBuilder()
                .setBlob(found.blob())
                .setLength(found.data().size())));
        for (int from = 0; from < found.data().size(); from += PART_BYTES) {
            int to = Math.min(from + PART_BYTES, found.data().size());
            observer.onNext(part(BlobPart.newBuilder().setData(found.data().substring(from, to))));
        }
        observer.onCompleted();
    }

    private static LoadJobBlobResponse part(BlobPart.Builder part) {
        return LoadJobBlobResponse.newBuilder().setPart(part).build();
    }

    private static String sha256(ByteString data) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            data.asReadOnlyByteBufferList().forEach(digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
