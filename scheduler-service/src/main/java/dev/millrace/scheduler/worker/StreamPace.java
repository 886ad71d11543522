package dev.millrace.scheduler.worker;

import dev.millrace.memory.MemoryPart;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Flow control for the messages of one worker: requests the next message only when there is memory for what it may
 * contain.
 *
 * <p>Results and logs cannot be rejected, so a scheduler with too many of them reads more slowly. Unread messages wait
 * in the worker, which then holds back the output of its jobs.
 *
 * <p>Only one message is requested at a time. The caller of {@link #next} is either the handler of the last message or
 * a thread that has freed memory.
 */
final class StreamPace {
    private final ServerCallStreamObserver<?> stream;
    private final MemoryPart results;
    private final MemoryPart logs;
    private final AtomicBoolean awaitsReader = new AtomicBoolean();
    private volatile boolean awaitsRoom;

    StreamPace(ServerCallStreamObserver<?> stream, MemoryPart results, MemoryPart logs) {
        this.stream = stream;
        this.results = results;
        this.logs = logs;
    }

    /** Must be called while the call is being accepted. */
    void begin() {
        stream.disableAutoRequest();
        stream.setOnReadyHandler(this::onReady);
        stream.request(1);
    }

    /**
     * Requests another message after the last one has been handled: now, or when there is memory and the worker has
     * read its responses.
     */
    void next() {
        if (results.isFull()) {
            awaitsRoom = true;
            results.whenRoom(this::next);
        } else if (logs.isFull()) {
            awaitsRoom = true;
            logs.whenRoom(this::next);
        } else {
            awaitsRoom = false;
            awaitsReader.set(true);
            onReady();
        }
    }

    /**
     * Returns whether the worker's messages remain unread because this scheduler lacks memory. Meanwhile, the worker
     * cannot show a sign of life.
     */
    boolean awaitsRoom() {
        return awaitsRoom;
    }

    /** Whether the worker reads what is sent to it, so that little waits here in memory. */
    boolean isRead() {
        return stream.isReady();
    }

    private void onReady() {
        if (stream.isReady() && awaitsReader.compareAndSet(true, false)) {
            stream.request(1);
        }
    }
}
