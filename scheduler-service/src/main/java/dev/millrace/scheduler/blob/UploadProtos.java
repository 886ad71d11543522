package dev.millrace.scheduler.blob;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one upload. gRPC requests the next message when the one before is stored, so a slow store makes the
 * caller wait. A caller that sends next to nothing is cut off, because the number of uploads is limited. The events of a
 * call come one at a time; the lock keeps them apart from the watch.
 *
 * @param <Q> type of the messages
 * @param <A> type of the answer
 */
final class UploadProtos<Q, A> implements StreamObserver<Q>, Blobs.Watched {
    /** Maximum number of bytes of a message. */
    static final int DATA_BYTES_MAX = 1 << 20;
    /** Minimum number of bytes that a caller sends between two looks of the watch. */
    private static final int PROGRESS_BYTES_MIN = 16 << 10;

    private final Blobs blobs;
    private final Function<Q, BlobUpload> begin;
    private final Function<Q, ByteString> data;
    private final Function<Blob, A> answer;
    private final ServerCallStreamObserver<A> call;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable BlobUpload upload;
    private long progress = PROGRESS_BYTES_MIN;
    private boolean isOver;

    /** @param begin begins an upload, as the first message says */
    UploadProtos(
            Blobs blobs,
            Function<Q, BlobUpload> begin,
            Function<Q, ByteString> data,
            Function<Blob, A> answer,
            StreamObserver<A> observer) {
        this.blobs = blobs;
        this.begin = begin;
        this.data = data;
        this.answer = answer;
        this.call = (ServerCallStreamObserver<A>) observer;
    }

    /** Starts to watch the call. */
    UploadProtos<Q, A> start() {
        call.setOnCancelHandler(() -> locked(this::close));
        blobs.watch(this);
        return this;
    }

    @Override
    public void onNext(Q message) {
        locked(() -> {
            if (isOver) {
                return;
            }
            try {
                add(message);
            } catch (RuntimeException failure) {
                close();
                throw failure;
            }
        });
    }

    private void add(Q message) {
        BlobUpload present = upload == null ? begin.apply(message) : upload;
        upload = present;
        ByteString bytes = data.apply(message);
        if (bytes.size() > DATA_BYTES_MAX) {
            throw MillraceException.invalid(
                    "data", bytes.size() + " bytes (expected: at most " + DATA_BYTES_MAX + " in a message)");
        }
        bytes.asReadOnlyByteBufferList().forEach(present::add);
        progress += bytes.size();
    }

    @Override
    public void onCompleted() {
        locked(() -> {
            if (isOver) {
                return;
            }
            try {
                BlobUpload present = upload;
                if (present == null) {
                    throw MillraceException.invalid(
                            "media_type", "no message (expected: a first message that has one)");
                }
                Unary.answer(call, answer.apply(present.finish()));
            } finally {
                close();
            }
        });
    }

    @Override
    public void onError(Throwable canceled) {
        locked(this::close);
    }

    @Override
    public void look() {
        // Whoever holds the lock is storing what has arrived, so the caller is not to blame.
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!isOver && progress < PROGRESS_BYTES_MIN) {
                close();
                call.onError(MillraceException.overloaded(
                        "The upload sent fewer than " + PROGRESS_BYTES_MIN + " bytes within "
                                + Blobs.WATCH_INTERVAL.toSeconds() + " s: begin it again when its bytes are at hand.",
                        Blobs.RETRY_AFTER));
            }
            progress = 0;
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        isOver = true;
        blobs.unwatch(this);
        if (upload != null) {
            upload.close();
        }
    }

    private void locked(Runnable event) {
        lock.lock();
        try {
            event.run();
        } finally {
            lock.unlock();
        }
    }
}
