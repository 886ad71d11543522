package dev.millrace.scheduler.runtime;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Random numbers fetched in blocks, for a source whose single numbers are expensive, such as the operating system.
 * Thread-safe.
 */
public final class BufferedRandom implements RandomGenerator {
    private static final int BLOCK_BYTES = 4 << 10;

    private final RandomGenerator source;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final ByteBuffer left = ByteBuffer.wrap(block).limit(0);

    public BufferedRandom(RandomGenerator source) {
        this.source = source;
    }

    @Override
    public synchronized long nextLong() {
        if (!left.hasRemaining()) {
            source.nextBytes(block);
            left.clear();
        }
        long next = left.getLong();
        // Erases the number, so that nobody who reads the memory later learns it.
        left.putLong(left.position() - Long.BYTES, 0);
        return next;
    }
}
