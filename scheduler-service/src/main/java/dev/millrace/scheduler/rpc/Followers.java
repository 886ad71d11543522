package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.error.MillraceException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Everyone who follows a run or its logs: each on a virtual thread of its own, up to a limit. Thread-safe. */
public final class Followers implements AutoCloseable {
    private static final int FOLLOWERS_MAX = 10_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Semaphore room = new Semaphore(FOLLOWERS_MAX);
    private final Set<PacedStream<?>> streams = ConcurrentHashMap.newKeySet();

    /** What one follower is sent, from the first message to the last. */
    public interface Feed<T> {
        void sendTo(PacedStream<T> stream) throws InterruptedException;
    }

    /** Starts to send; returns at once. To be called while the call is being accepted. */
    public <T> void start(StreamObserver<T> observer, Feed<T> feed) {
        if (!room.tryAcquire()) {
            throw MillraceException.overloaded(
                    "This scheduler already serves " + FOLLOWERS_MAX + " followers: follow again later.", RETRY_AFTER);
        }
        ServerCallStreamObserver<T> call = (ServerCallStreamObserver<T>) observer;
        PacedStream<T> stream = new PacedStream<>(call);
        call.setOnReadyHandler(stream::onReady);
        call.setOnCancelHandler(stream::onCancel);
        streams.add(stream);
        Thread.ofVirtual().name("follower").start(() -> run(feed, stream, call));
    }

    /** Asks all followers to go elsewhere. */
    @Override
    public void close() {
        streams.forEach(PacedStream::stop);
    }

    private <T> void run(Feed<T> feed, PacedStream<T> stream, ServerCallStreamObserver<T> call) {
        try {
            feed.sendTo(stream);
            call.onCompleted();
        } catch (CancellationException gone) {
            // Nobody is left to be told.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            call.onError(failure);
        } finally {
            streams.remove(stream);
            room.release();
        }
    }
}
