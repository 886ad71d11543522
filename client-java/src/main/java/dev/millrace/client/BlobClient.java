package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Uploads and downloads blobs, values that are too large for inputs and outputs. Memory holds a part of a blob at a time.
 * Thread-safe.
 */
public final class BlobClient {
    private static final int PART_BYTES = 256 << 10;

    private final Connection connection;
    private final BlockingCalls sending;
    private final String workspace;

    BlobClient(Connection connection, BlockingCalls sending, String workspace) {
        this.connection = requireNonNull(connection, "connection");
        this.sending = requireNonNull(sending, "sending");
        this.workspace = requireNonNull(workspace, "workspace");
    }

    /**
     * Uploads a file, and returns the reference for an input. The blob is kept for a day unless a run opens it. If the
     * connection breaks, the upload begins again.
     *
     * @param mediaType what the bytes are, 1 to 255 printable ASCII characters
     * @throws IOException if the file cannot be read
     * @throws InvalidRequestException if the blob is too large
     * @throws OverloadedException if the workspace has no room for it, or the scheduler has none
     */
    public Blob put(Path file, String mediaType) throws IOException {
        Attempts attempts = connection.attempts(Duration.ZERO);
        while (true) {
            String token = connection.token();
            try (InputStream bytes = Files.newInputStream(file)) {
                return upload(bytes, mediaType, token);
            } catch (ClientException failure) {
                sending.pause(call(mediaType), failure, token, attempts);
            }
        }
    }

    /** Uploads the rest of a stream, as {@link #put(Path, String)} does, but only once: nobody can read it again. */
    public Blob put(InputStream bytes, String mediaType) throws IOException {
        return upload(bytes, mediaType, connection.token());
    }

    /** Opens a blob, as {@link #open(String)} does. */
    public InputStream open(Blob blob) {
        return open(blob.id());
    }

    /**
     * Opens a blob. Its bytes come while they are read, and a broken connection continues where it was. Reading throws a
     * {@link NotFoundException} if the workspace has no such blob.
     */
    public InputStream open(String blobId) {
        return new BlobInput(connection, sending, workspace, blobId);
    }

    private Call<UploadBlobRequest, UploadBlobResponse, Blob> call(String mediaType) {
        UploadBlobRequest first = UploadBlobRequest.newBuilder()
                .setWorkspace(workspace)
                .setMediaType(mediaType)
                .build();
        return new Call<>(BlobServiceGrpc.getUploadBlobMethod(), first, answer -> blob(answer.getBlob()));
    }

    private Blob upload(InputStream bytes, String mediaType, String token) throws IOException {
        Call<UploadBlobRequest, UploadBlobResponse, Blob> call = call(mediaType);
        BlockingClientCall<UploadBlobRequest, UploadBlobResponse> stream =
                ClientCalls.blockingClientStreamingCall(connection.showing(token), call.method(), CallOptions.DEFAULT);
        boolean isOver = false;
        try {
            // Writing ends early if the scheduler refuses, and reading then says why.
            boolean isOpen = stream.write(call.request());
            byte[] part = bytes.readNBytes(PART_BYTES);
            while (isOpen && part.length > 0) {
                isOpen = stream.write(part(part));
                part = bytes.readNBytes(PART_BYTES);
            }
            if (isOpen) {
                stream.halfClose();
            }
            UploadBlobResponse answer = stream.read();
            isOver = true;
            if (answer == null) {
                throw connection.error(Status.INTERNAL.asRuntimeException(), call);
            }
            return call.read().apply(answer);
        } catch (StatusException | StatusRuntimeException failure) {
            throw connection.error(failure, call);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw sending.interrupted(call);
        } finally {
            if (!isOver) {
                stream.cancel("The upload was given up.", null);
            }
        }
    }

    private UploadBlobRequest part(byte[] bytes) {
        ByteString data = UnsafeByteOperations.unsafeWrap(bytes);
        return UploadBlobRequest.newBuilder()
                .setWorkspace(workspace)
                .setData(data)
                .build();
    }

    private static Blob blob(dev.millrace.proto.blob.v1.Blob found) {
        return new Blob(found.getId(), found.getBytes(), found.getSha256(), found.getMediaType());
    }
}
