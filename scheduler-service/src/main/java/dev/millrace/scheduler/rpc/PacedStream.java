package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.WakeLatch;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/**
 * The answers of a streaming call at the pace of its caller: {@link #send} waits while the caller does not read, so nothing piles up
 * here. Used by one thread, which waits on the two signals; the transport and the source of changes only raise them.
 */
public final class PacedStream<T> {
    private static final Duration LOOK_AGAIN_INTERVAL = Duration.ofSeconds(30);

    /** Changes within this time are read together. */
    private static final Duration GATHER_TIME = Duration.ofMillis(10);

    private final ServerCallStreamObserver<T> call;
    private final WakeLatch ready = new WakeLatch();
    private final WakeLatch changed = new WakeLatch();
    private volatile boolean stopping;

    PacedStream(ServerCallStreamObserver<T> call) {
        this.call = call;
    }

    /** Hands one message over. Fails with {@link CancellationException} once the caller has gone. */
    public void send(T message) throws InterruptedException {
        awaitReady();
        call.onNext(message);
    }

    /**
     * Waits until the caller has taken what it was sent. What is loaded after this, and sent at once, is not held here for a caller that does not
     * read. Fails with {@link CancellationException} once the caller has gone.
     */
    public void awaitReady() throws InterruptedException {
        requireOpen();
        while (!call.isReady()) {
            ready.await(LOOK_AGAIN_INTERVAL);
            requireOpen();
        }
    }

    /** Tells the thread in {@link #awaitChange} that there is something new. Returns at once. */
    public void wake() {
        changed.raise();
    }

    /** Waits for {@link #wake}; false where nothing came in time. Fails with {@link CancellationException} once the caller has gone. */
    public boolean awaitChange(Duration timeout) throws InterruptedException {
        requireOpen();
        boolean woken = changed.await(timeout);
        requireOpen();
        if (woken) {
            WakeLatch.pause(GATHER_TIME);
        }
        return woken;
    }

    void onReady() {
        ready.raise();
    }

    void onCancel() {
        ready.raise();
        changed.raise();
    }

    void stop() {
        stopping = true;
        onCancel();
    }

    private void requireOpen() {
        if (call.isCancelled()) {
            throw new CancellationException("the caller has gone");
        }
        if (stopping) {
            throw new MillraceException(
                    ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop: follow again at another one, or later.");
        }
    }
}
