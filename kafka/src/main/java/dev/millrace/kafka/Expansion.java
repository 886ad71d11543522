package dev.millrace.kafka;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Measures what a consumer must hold at a time while it expands a batch, without holding it. Kafka's consumer expands one record
 * after another, and allocates as many bytes as a record claims to have. So the largest record decides, not the whole batch.
 */
public final class Expansion {
    /** Bytes from which on an expanded batch counts as a whole: reading it would only cost time. */
    private static final long WHOLE_BYTES_MAX = 512L << 20;
    /** Heap for a header of a record, beside its bytes. */
    private static final int HEADER_BYTES = 128;

    private static final int MAGIC_OF_RECORDS = 2;
    private static final int COUNT_AT = 57;
    private static final int RECORDS_AT = 61;
    private static final int OLD_ATTRIBUTES_AT = 17;
    private static final int OLD_TIMESTAMP_BYTES = 8;

    private static final int LZ4_BLOCK_SIZE_AT = 5;
    /** Size of the smallest blocks of LZ4, which have the code 4. Those with the next code are four times as large. */
    private static final int LZ4_BLOCK_BYTES = 64 << 10;

    private static final int LZ4_BLOCK_CODE = 4;
    private static final byte SNAPPY_STREAM = (byte) 0x82;
    private static final int SNAPPY_BLOCKS_AT = 16;

    /**
     * What a library may keep of a batch outside of the heap, in bytes. Kafka's producers choose a window of this size by default; those of
     * others may have 128 MiB.
     */
    private static final long WINDOW_BYTES_FREE = 2 << 20;

    private static final int BUFFER_BYTES = 16 << 10;

    private Expansion() {}

    /**
     * Bytes of the largest part of a batch that is held at a time. If there is one of more than {@code enough}, the first such
     * part; others are not looked at then. What a batch has that cannot be read counts nothing: the consumer fails there, too.
     * What a library keeps outside of the heap counts only once it is large, and then as little, so that no batch is too long for it.
     *
     * @param bytes of the batch alone
     */
    public static long largestPart(RecordBatch batch, ByteBuffer bytes, long enough) {
        CompressionType compression = batch.compressionType();
        boolean isOld = batch.magic() < MAGIC_OF_RECORDS;
        if (isOld && compression == CompressionType.NONE) {
            return 0;
        }
        try {
            ByteBuffer content = isOld ? oldValue(bytes) : bytes.slice(RECORDS_AT, bytes.limit() - RECORDS_AT);
            long block = largestBlock(compression, content);
            if (block > enough) {
                return block;
            }
            long window = compression == CompressionType.ZSTD ? ZstdFrames.largestWindow(content) : 0;
            try (DataInputStream records = new DataInputStream(new BufferedInputStream(
                    Compression.of(compression).build().wrapForInput(content, batch.magic(), BufferSupplier.NO_CACHING),
                    BUFFER_BYTES))) {
                boolean isShared = compression == CompressionType.NONE;
                return Math.max(
                        block,
                        isOld
                                ? whole(records, enough)
                                : largestRecord(records, bytes.getInt(COUNT_AT), isShared, window, enough));
            }
        } catch (IOException
                | KafkaException
                | BufferUnderflowException
                | IndexOutOfBoundsException
                | IllegalArgumentException unreadable) {
            return 0;
        }
    }

    /** @param isShared whether records share the bytes of the response, so that only their headers count */
    private static long largestRecord(DataInputStream records, int count, boolean isShared, long window, long enough)
            throws IOException {
        long largest = 0;
        long whole = 0;
        for (int record = 0; record < count; record++) {
            int size = ByteUtils.readVarint(records);
            if (!isShared && size > enough) {
                return size;
            }
            Counted counted = new Counted(records, size);
            long part = (isShared ? 0 : size) + (long) HEADER_BYTES * headers(counted);
            skip(records, counted.left);
            whole += size;
            if (Math.min(window, whole) > WINDOW_BYTES_FREE) {
                part = Math.max(part, WINDOW_BYTES_FREE);
            }
            largest = Math.max(largest, part);
            if (part > enough) {
                return part;
            }
            if (!isShared && whole > WHOLE_BYTES_MAX) {
                return whole;
            }
        }
        return largest;
    }

    /** The consumer holds all messages of an old batch at a time. */
    private static long whole(DataInputStream messages, long enough) throws IOException {
        long whole = 0;
        try {
            while (whole <= enough) {
                messages.readLong();
                int size = messages.readInt();
                whole += Math.max(0, size);
                if (whole <= enough) {
                    skip(messages, size);
                }
            }
        } catch (EOFException end) {
            return whole;
        }
        return whole;
    }

    /** Number of headers of a record. */
    private static int headers(Counted record) throws IOException {
        record.skip(1);
        var _ = record.varint();
        var _ = record.varint();
        record.skip(record.varint());
        record.skip(record.varint());
        return (int) Math.clamp(record.varint(), 0L, record.left);
    }

    /** A record of which some bytes are left to read. */
    private static final class Counted {
        private final DataInputStream records;
        private int left;

        Counted(DataInputStream records, int left) {
            this.records = records;
            this.left = left;
        }

        /** A number of up to ten bytes, as times have them. */
        long varint() throws IOException {
            long value = 0;
            int shift = 0;
            byte next;
            do {
                next = records.readByte();
                left--;
                value |= (long) (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0 && shift < Long.SIZE);
            return (value >>> 1) ^ -(value & 1);
        }

        void skip(long bytes) throws IOException {
            int skipped = (int) Math.clamp(bytes, 0L, Math.max(0, left));
            Expansion.skip(records, skipped);
            left -= skipped;
        }
    }

    private static void skip(DataInputStream records, int bytes) throws IOException {
        if (bytes > 0) {
            records.skipNBytes(bytes);
        }
    }

    /** Bytes of the largest block that a library of compression holds, as far as the format lets the writer choose it. */
    private static long largestBlock(CompressionType compression, ByteBuffer content) {
        return switch (compression) {
            case NONE, GZIP, ZSTD -> 0;
            case LZ4 -> {
                int code = (content.get(LZ4_BLOCK_SIZE_AT) >> 4) & 7;
                yield code <= LZ4_BLOCK_CODE ? 0 : (long) LZ4_BLOCK_BYTES << (2 * (code - LZ4_BLOCK_CODE));
            }
            case SNAPPY -> largestOfSnappy(content.duplicate());
        };
    }

    private static long largestOfSnappy(ByteBuffer content) {
        // Unless it begins as a stream, it is a single block. The beginning of a stream looks like a small one.
        long largest = snappySize(content);
        if (content.get(0) != SNAPPY_STREAM) {
            return largest;
        }
        content.position(SNAPPY_BLOCKS_AT);
        while (content.remaining() > Integer.BYTES) {
            int size = content.getInt();
            if (size < 0 || size > content.remaining()) {
                return Math.max(largest, Integer.toUnsignedLong(size));
            }
            largest = Math.max(largest, snappySize(content.slice(content.position(), size)));
            content.position(content.position() + size);
        }
        return largest;
    }

    private static long snappySize(ByteBuffer block) {
        return block.hasRemaining() ? Integer.toUnsignedLong(ByteUtils.readUnsignedVarint(block.duplicate())) : 0;
    }

    private static ByteBuffer oldValue(ByteBuffer bytes) {
        ByteBuffer message = bytes.duplicate();
        boolean hasTimestamp = message.get(OLD_ATTRIBUTES_AT - 1) == 1;
        message.position(OLD_ATTRIBUTES_AT + 1 + (hasTimestamp ? OLD_TIMESTAMP_BYTES : 0));
        int key = message.getInt();
        message.position(message.position() + Math.max(0, key));
        int value = message.getInt();
        return message.slice(message.position(), value);
    }
}
