package dev.millrace.kafka;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the windows of Zstandard: how much of what it has expanded a library keeps, since later bytes may refer to it. The
 * format is that of RFC 8878, section 3.1.
 */
final class ZstdFrames {
    private static final int FRAME = 0xFD2FB528;
    /** Frames to be skipped have any of the 16 numbers from this one on. */
    private static final int SKIPPED = 0x184D2A50;

    private static final int SKIPPED_MASK = 0xFFFFFFF0;

    private static final int SINGLE_SEGMENT = 1 << 5;
    private static final int CHECKSUM = 1 << 2;
    private static final int CHECKSUM_BYTES = 4;
    private static final int WINDOW_LOG_MIN = 10;
    private static final int BLOCK_RLE = 1;
    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};
    private static final int[] CONTENT_SIZE_BYTES = {0, 2, 4, 8};
    /** A size of two bytes counts from here on. */
    private static final int CONTENT_SIZE_BASE = 256;

    private ZstdFrames() {}

    /**
     * Bytes of the largest window. What follows something that is no frame does not count: the library fails there.
     *
     * @param content frames, one behind another; the last one may be cut off
     */
    static long largestWindow(ByteBuffer content) {
        ByteBuffer frames = content.slice().order(ByteOrder.LITTLE_ENDIAN);
        long largest = 0;
        try {
            while (frames.hasRemaining()) {
                int magic = frames.getInt();
                if (magic == FRAME) {
                    int descriptor = frames.get();
                    largest = Math.max(largest, window(frames, descriptor));
                    skipBlocks(frames, descriptor);
                } else if ((magic & SKIPPED_MASK) == SKIPPED) {
                    skip(frames, Integer.toUnsignedLong(frames.getInt()));
                } else {
                    return largest;
                }
            }
        } catch (BufferUnderflowException cutOff) {
            return largest;
        }
        return largest;
    }

    /** Bytes of the window of a frame, of which the rest of the header is read. */
    private static long window(ByteBuffer frames, int descriptor) {
        boolean isSingle = (descriptor & SINGLE_SEGMENT) != 0;
        long window = isSingle ? 0 : windowOf(frames.get());
        skip(frames, DICTIONARY_BYTES[descriptor & 3]);
        int sizeCode = (descriptor >> 6) & 3;
        long size = contentSize(frames, sizeCode == 0 && isSingle ? 1 : CONTENT_SIZE_BYTES[sizeCode]);
        return isSingle ? size : window;
    }

    private static void skipBlocks(ByteBuffer frames, int descriptor) {
        boolean isLast = false;
        while (!isLast) {
            int block = Short.toUnsignedInt(frames.getShort()) | Byte.toUnsignedInt(frames.get()) << Short.SIZE;
            isLast = (block & 1) != 0;
            skip(frames, ((block >> 1) & 3) == BLOCK_RLE ? 1 : block >> 3);
        }
        skip(frames, (descriptor & CHECKSUM) == 0 ? 0 : CHECKSUM_BYTES);
    }

    private static long windowOf(byte descriptor) {
        int bits = Byte.toUnsignedInt(descriptor);
        long base = 1L << (WINDOW_LOG_MIN + (bits >> 3));
        return base + base / 8 * (bits & 7);
    }

    private static long contentSize(ByteBuffer frames, int bytes) {
        return switch (bytes) {
            case 1 -> Byte.toUnsignedInt(frames.get());
            case 2 -> CONTENT_SIZE_BASE + Short.toUnsignedInt(frames.getShort());
            case 4 -> Integer.toUnsignedLong(frames.getInt());
            // No library expands a frame of more than half of what a long holds.
            case 8 -> Math.max(0, frames.getLong());
            default -> 0;
        };
    }

    private static void skip(ByteBuffer frames, long bytes) {
        if (bytes > frames.remaining()) {
            throw new BufferUnderflowException();
        }
        frames.position(frames.position() + (int) bytes);
    }
}
