package dev.millrace.client;

import com.google.protobuf.ByteString;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The bytes of a blob as they come. A new call continues one that broke. Not thread-safe. */
final class BlobInput extends InputStream {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final Connection connection;
    private final BlockingCalls sending;
    private final String workspace;
    private final String blobId;
    private final Attempts attempts;
    private Context.@Nullable CancellableContext open;
    private @Nullable Iterator<DownloadBlobResponse> parts;
    private String token = "";
    private ByteBuffer part = EMPTY;
    private long offset;
    private boolean isOver;

    BlobInput(Connection connection, BlockingCalls sending, String workspace, String blobId) {
        this.connection = connection;
        this.sending = sending;
        this.workspace = workspace;
        this.blobId = blobId;
        this.attempts = connection.attempts(Duration.ZERO);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!part.hasRemaining()) {
            if (isOver) {
                return -1;
            }
            next();
        }
        int count = Math.min(length, part.remaining());
        part.get(to, from, count);
        return count;
    }

    /** Receives the next part, or notes the end. */
    private void next() {
        Call<DownloadBlobRequest, DownloadBlobResponse, ByteString> call = call();
        try {
            Iterator<DownloadBlobResponse> coming = parts == null ? begin(call) : parts;
            parts = coming;
            if (!coming.hasNext()) {
                isOver = true;
                return;
            }
            part = call.read().apply(coming.next()).asReadOnlyByteBuffer();
            offset += part.remaining();
            attempts.progressed();
        } catch (StatusRuntimeException failure) {
            end();
            sending.pause(call, connection.error(failure, call), token, attempts);
        }
    }

    private Call<DownloadBlobRequest, DownloadBlobResponse, ByteString> call() {
        DownloadBlobRequest request = DownloadBlobRequest.newBuilder()
                .setWorkspace(workspace)
                .setBlobId(blobId)
                .setOffset(offset)
                .build();
        return new Call<>(
                BlobServiceGrpc.getDownloadBlobMethod(),
                request,
                answer -> answer.getPart().getData());
    }

    private Iterator<DownloadBlobResponse> begin(Call<DownloadBlobRequest, DownloadBlobResponse, ByteString> call) {
        token = connection.token();
        Context.CancellableContext context = Context.current().withCancellation();
        open = context;
        Context before = context.attach();
        try {
            return ClientCalls.blockingServerStreamingCall(
                    connection.showing(token), call.method(), CallOptions.DEFAULT, call.request());
        } finally {
            context.detach(before);
        }
    }

    private void end() {
        parts = null;
        Context.CancellableContext context = open;
        if (context != null) {
            context.cancel(null);
        }
    }

    @Override
    public void close() {
        isOver = true;
        part = EMPTY;
        end();
    }
}
