package dev.millrace.gateway.blob;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.rpc.RequestWorkspace;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.memory.Reservation;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One upload: passes the body of a request on to the scheduler, as fast as the scheduler takes it.
 *
 * <p>Bytes that arrive while gRPC is busy are gathered, and no more are requested of the caller once {@link #BATCH_BYTES}
 * wait. Bytes never wait for more bytes, so the scheduler sees how slow a caller is, and ends the call of one that is too
 * slow. If the caller disconnects, the call is canceled, and the scheduler deletes what has arrived.
 *
 * <p>Thread-safety: everything happens on the event loop of the request.
 */
final class BlobUpload extends ClientCall.Listener<UploadBlobResponse> implements Subscriber<HttpObject> {

    /** The bytes of one message, except that the last part of a body that was gathered may exceed them. */
    private static final int BATCH_BYTES = 128 << 10;

    /** Estimate of what an upload takes: what was gathered, a message in gRPC, and what was read from the connection. */
    static final int BYTES = 512 << 10;

    private final ServiceRequestContext context;
    private final Scheduler scheduler;
    private final UploadBlobRequest announcement;
    private final UploadBlobRequest part;
    private final Reservation room;
    private final CompletableFuture<Blob> answer = new CompletableFuture<>();
    private @Nullable ClientCall<UploadBlobRequest, UploadBlobResponse> call;
    private @Nullable Subscription body;
    private ByteString gathered = ByteString.EMPTY;
    private boolean isRequested;
    private boolean isComplete;
    private boolean isHalfClosed;
    private @Nullable Blob blob;

    /**
     * @param announcement the first message
     * @param room memory for the upload, released at the end of the request
     */
    BlobUpload(ServiceRequestContext context, Scheduler scheduler, UploadBlobRequest announcement, Reservation room) {
        this.context = context;
        this.scheduler = scheduler;
        this.announcement = RequestWorkspace.of(context, announcement);
        this.part = RequestWorkspace.of(context, UploadBlobRequest.getDefaultInstance());
        this.room = room;
    }

    /** Begins, on the event loop of the request. Completes with the blob, or with a failure of gRPC or of the request. */
    CompletionStage<Blob> start() {
        var _ = context.log().whenComplete().thenRun(room::close);
        var started = scheduler.upload(context, BlobServiceGrpc.getUploadBlobMethod(), this);
        call = started;
        started.sendMessage(announcement);
        context.request().subscribe(this, context.eventLoop());
        return answer;
    }

    @Override
    public void onSubscribe(Subscription begun) {
        body = begun;
        pass();
    }

    @Override
    public void onNext(HttpObject object) {
        isRequested = false;
        if (object instanceof HttpData data) {
            gathered = gathered.concat(UnsafeByteOperations.unsafeWrap(data.array()));
        }
        pass();
    }

    @Override
    public void onComplete() {
        isComplete = true;
        pass();
    }

    @Override
    public void onError(Throwable failure) {
        var running = call;
        if (running != null) {
            running.cancel("The body of the request has broken off.", failure);
        }
        answer.completeExceptionally(failure);
    }

    @Override
    public void onReady() {
        context.eventLoop().execute(this::pass);
    }

    @Override
    public void onMessage(UploadBlobResponse message) {
        context.eventLoop().execute(() -> blob = message.getBlob());
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        context.eventLoop().execute(() -> end(status, trailers));
    }

    /** Sends what was gathered if gRPC takes it, and requests more of the body if there is room. */
    private void pass() {
        var running = call;
        var source = body;
        if (running == null || source == null || answer.isDone() || isHalfClosed) {
            return;
        }
        if (!gathered.isEmpty() && (running.isReady() || isComplete)) {
            running.sendMessage(part.toBuilder().setData(gathered).build());
            gathered = ByteString.EMPTY;
        }
        if (isComplete) {
            isHalfClosed = true;
            running.halfClose();
        } else if (!isRequested && gathered.size() < BATCH_BYTES) {
            isRequested = true;
            source.request(1);
        }
    }

    private void end(Status status, Metadata trailers) {
        var stored = blob;
        if (status.isOk() && stored != null) {
            answer.complete(stored);
            return;
        }
        var source = body;
        answer.completeExceptionally(
                status.isOk()
                        ? Status.INTERNAL.withDescription("No message.").asRuntimeException()
                        : status.asRuntimeException(trailers));
        if (source != null && !isComplete) {
            source.cancel();
        }
    }
}
