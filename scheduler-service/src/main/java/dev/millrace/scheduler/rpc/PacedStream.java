package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.WakeLatch;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/**
 * The responses of a streaming call, sent at the pace of the caller.
 *
 * <p>{@link #send} waits while the caller does not read, so nothing accumulates here. One thread uses the stream and
 * waits on its two latches. The transport and the source of changes only raise the latches.
 */
public final class PacedStream<T> {
    private static final Duration LOOK_AGAIN_INTERVAL = Duration.ofSeconds(30);

    /** Time after a change in which further changes are gathered. */
    private static final Duration GATHER_TIME = Duration.ofMillis(10);

    private final ServerCallStreamObserver<T> call;
    private final WakeLatch ready = new WakeLatch();
    private final WakeLatch changed = new WakeLatch();
    private volatile boolean stopping;

    PacedStream(ServerCallStreamObserver<T> call) {
        this.call = call;
    }

    /**
     * Sends one message, once the caller is ready for it.
     *
     * @throws CancellationException if the caller has gone
     */
    public void send(T message) throws InterruptedException {
        awaitReady();
        call.onNext(message);
    }

    /**
     * Waits until the caller has taken the earlier messages. Data that is loaded after this wait and sent at once is
     * not held for a caller that does not read.
     *
     * @throws CancellationException if the caller has gone
     */
    public void awaitReady() throws InterruptedException {
        requireOpen();
        while (!call.isReady()) {
            ready.await(LOOK_AGAIN_INTERVAL);
            requireOpen();
        }
    }

    /** Wakes the thread in {@link #awaitChange}. Returns at once. */
    public void wake() {
        changed.raise();
    }

    /**
     * Waits for {@link #wake}; returns false if it was not called in time.
     *
     * @throws CancellationException if the caller has gone
     */
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
