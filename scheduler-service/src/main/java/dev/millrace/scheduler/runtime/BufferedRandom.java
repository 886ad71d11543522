package dev.millrace.scheduler.runtime;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** Fetches random numbers in blocks from a source whose single numbers are dear, as the operating system's are. Thread-safe. */
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
        // Nobody who reads memory later shall learn a number that was given out.
        left.putLong(left.position() - Long.BYTES, 0);
        return next;
    }
}
