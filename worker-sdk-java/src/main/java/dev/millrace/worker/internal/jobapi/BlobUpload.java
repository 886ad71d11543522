package dev.millrace.worker.internal.jobapi;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.proto.worker.v1.JobBlobServiceGrpc;
import dev.millrace.proto.worker.v1.SaveJobBlobRequest;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the bytes of a file. The next part is read when gRPC has room for it, so that a slow scheduler makes the file
 * wait. One thread sends; gRPC reports room and the end on others.
 */
final class BlobUpload implements ClientResponseObserver<SaveJobBlobRequest, SaveJobBlobResponse> {
    /** Time between two looks at whether the job is still held. */
    private static final long LOOK_MILLIS = 1_000;

    private final LeasedJob job;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile @Nullable SaveJobBlobResponse response;
    private volatile @Nullable Throwable failure;

    private BlobUpload(LeasedJob job) {
        this.job = job;
    }

    /** Returns the reference of the blob that was made of the file. */
    static String run(Channel channel, LeasedJob job, Path file, String mediaType)
            throws IOException, InterruptedException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            BlobUpload upload = new BlobUpload(job);
            var messages = (ClientCallStreamObserver<SaveJobBlobRequest>)
                    JobBlobServiceGrpc.newStub(channel).saveJobBlob(upload);
            boolean isOver = false;
            try {
                messages.onNext(upload.first(mediaType));
                upload.send(in, messages);
                String reference = upload.awaitReference();
                isOver = true;
                return reference;
            } finally {
                if (!isOver) {
                    messages.cancel("the upload was given up", null);
                }
            }
        }
    }

    private SaveJobBlobRequest first(String mediaType) {
        return SaveJobBlobRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setMediaType(mediaType)
                .build();
    }

    private void send(FileChannel in, ClientCallStreamObserver<SaveJobBlobRequest> messages)
            throws IOException, InterruptedException {
        while (awaitRoom(messages)) {
            ByteBuffer part = ByteBuffer.allocate(BlobReference.PART_BYTES_MAX);
            if (in.read(part) < 0) {
                messages.onCompleted();
                return;
            }
            ByteString data = UnsafeByteOperations.unsafeWrap(part.flip());
            messages.onNext(SaveJobBlobRequest.newBuilder().setData(data).build());
        }
    }

    /** Waits until gRPC has room for a message; false if the call has ended. */
    private synchronized boolean awaitRoom(ClientCallStreamObserver<SaveJobBlobRequest> messages)
            throws InterruptedException {
        while (!messages.isReady() && end.getCount() > 0) {
            BlobReference.requireHeld(job);
            wait(LOOK_MILLIS);
        }
        BlobReference.requireHeld(job);
        return end.getCount() > 0;
    }

    private String awaitReference() throws InterruptedException {
        while (!end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            BlobReference.requireHeld(job);
        }
        SaveJobBlobResponse answer = response;
        Throwable cause = failure;
        if (cause != null) {
            // The trailers have the reason, which decides whether another attempt may help.
            throw Status.fromThrowable(cause).asRuntimeException(Status.trailersFromThrowable(cause));
        }
        if (answer == null) {
            throw Status.INTERNAL.withDescription("The upload has no answer.").asRuntimeException();
        }
        return BlobReference.json(answer.getBlob());
    }

    private synchronized void roomOrEnd() {
        notifyAll();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SaveJobBlobRequest> stream) {
        stream.setOnReadyHandler(this::roomOrEnd);
    }

    @Override
    public void onNext(SaveJobBlobResponse answer) {
        response = answer;
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
        end.countDown();
        roomOrEnd();
    }

    @Override
    public void onCompleted() {
        end.countDown();
        roomOrEnd();
    }
}
