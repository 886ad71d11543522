package dev.millrace.scheduler.rpc;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.error.MillraceException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;

/** The callers that follow runs or logs, each with a virtual thread, up to the memory budget. Thread-safe. */
public final class Followers implements AutoCloseable {
    /** Estimate of what one waiting follower takes: its thread, its stream and its last message. */
    private static final int FOLLOWER_BYTES = 16 << 10;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final MemoryPart memory;
    private final String name;
    private final int bytesEach;
    private final Set<PacedStream<?>> streams = ConcurrentHashMap.newKeySet();

    /** @param memory budget of followers; callers beyond the budget are rejected */
    public Followers(MemoryPart memory) {
        this(memory, "followers", FOLLOWER_BYTES);
    }

    /**
     * @param name of these callers, in the plural
     * @param bytesEach estimate of what one of them takes
     */
    public Followers(MemoryPart memory, String name, int bytesEach) {
        this.memory = memory;
        this.name = name;
        this.bytesEach = bytesEach;
    }

    /** Produces the messages of one follower, from the first to the last. */
    public interface Feed<T> {
        void sendTo(PacedStream<T> stream) throws InterruptedException;
    }

    /** Starts to send, and returns at once. Must be called while the call is being accepted, on its thread. */
    public <T> void start(StreamObserver<T> observer, Feed<T> feed) {
        if (!memory.tryReserve(bytesEach)) {
            throw MillraceException.overloaded(
                    "This scheduler already serves as many " + name + " as its heap allows: repeat the call later.",
                    RETRY_AFTER);
        }
        ServerCallStreamObserver<T> call = (ServerCallStreamObserver<T>) observer;
        PacedStream<T> stream = new PacedStream<>(call);
        call.setOnReadyHandler(stream::onReady);
        call.setOnCancelHandler(stream::onCancel);
        streams.add(stream);
        Thread.ofVirtual().name("follower").start(() -> run(feed, stream, call));
    }

    /** Asks all followers to continue at another scheduler. */
    @Override
    public void close() {
        streams.forEach(PacedStream::stop);
    }

    private <T> void run(Feed<T> feed, PacedStream<T> stream, ServerCallStreamObserver<T> call) {
        try {
            feed.sendTo(stream);
            call.onCompleted();
        } catch (CancellationException gone) {
            // The caller has gone, so nobody needs an answer.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            call.onError(failure);
        } finally {
            streams.remove(stream);
            memory.release(bytesEach);
        }
    }
}
