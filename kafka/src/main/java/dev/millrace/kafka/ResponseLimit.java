package dev.millrace.kafka;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.network.InvalidReceiveException;

/**
 * Limit on the responses that a client of Kafka reads. A longer response ends its connection, as with the limit of Kafka's own
 * {@code Selector}; this one also tells that it has happened, which Kafka's only logs. Thread-safe.
 */
public final class ResponseLimit implements MemoryPool {
    private static final int NONE_REFUSED = -1;

    private final int bytesMax;
    private final AtomicInteger refused = new AtomicInteger(NONE_REFUSED);

    /** @param bytesMax longest response */
    public ResponseLimit(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The size of the last response that was too long, in bytes; empty if there was none since the last call. */
    public OptionalInt takeRefused() {
        int bytes = refused.getAndSet(NONE_REFUSED);
        return bytes == NONE_REFUSED ? OptionalInt.empty() : OptionalInt.of(bytes);
    }

    @Override
    public ByteBuffer tryAllocate(int bytes) {
        if (bytes > bytesMax) {
            refused.set(bytes);
            throw new InvalidReceiveException(
                    "a response of " + bytes + " bytes is too long (expected: at most " + bytesMax + ")");
        }
        return ByteBuffer.allocate(bytes);
    }

    @Override
    public void release(ByteBuffer unused) {}

    @Override
    public long size() {
        return Long.MAX_VALUE;
    }

    @Override
    public long availableMemory() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOutOfMemory() {
        return false;
    }
}
