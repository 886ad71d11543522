package dev.millrace.scheduler.worker;

import dev.millrace.memory.MemoryPart;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks for the next message of one worker only when there is room for what it may hold. Results and logs cannot be refused, so a scheduler that has
 * too much of them reads slower: what it does not read waits in the worker, which holds back its jobs' output in turn.
 *
 * <p>One message is asked for at a time. {@link #next} is called by whoever has handled the last one, or by a thread that has made room.
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

    /** To be called while the call is being accepted. */
    void begin() {
        stream.disableAutoRequest();
        stream.setOnReadyHandler(this::onReady);
        stream.request(1);
    }

    /** The last message was handled: asks for another one, now or when there is room and the worker has read its answers. */
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

    /** Whether the worker is not read because this scheduler has no room: it cannot give a sign of life meanwhile. */
    boolean awaitsRoom() {
        return awaitsRoom;
    }

    private void onReady() {
        if (stream.isReady() && awaitsReader.compareAndSet(true, false)) {
            stream.request(1);
        }
    }
}
