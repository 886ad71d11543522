package dev.millrace.kafka;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.MemoryRecords;

/**
 * Reads a response as Kafka's own reader does, but fails once all that is no batch of messages is longer than a limit. A field
 * or an element of a list takes up to 40 times as much on the heap as in the response, and a list gets room for as many
 * elements as it claims to have. Batches share the bytes of the response.
 */
final class StructureReader extends ByteBufferAccessor {
    /** Largest number of fields that a newer broker may add. Each takes two bytes in a response, and 44 on the heap. */
    private static final int UNKNOWN_FIELDS_MAX = 100;

    private final int bytesMax;
    private final int begin;
    private long recordBytes;
    private int unknownFields;

    /** @param bytesMax largest number of bytes, without batches of messages */
    StructureReader(ByteBuffer bytes, int bytesMax) {
        super(bytes);
        this.bytesMax = bytesMax;
        this.begin = bytes.position();
    }

    private int left() {
        return (int) Math.max(0, bytesMax - (buffer().position() - begin - recordBytes));
    }

    private void require(long bytes) {
        if (bytes > left()) {
            throw new KafkaException("the structure of a response has more than " + bytesMax + " bytes");
        }
    }

    /** Lists check by it how many elements they may have. */
    @Override
    public int remaining() {
        return Math.min(super.remaining(), left());
    }

    @Override
    public byte readByte() {
        require(Byte.BYTES);
        return super.readByte();
    }

    @Override
    public short readShort() {
        require(Short.BYTES);
        return super.readShort();
    }

    @Override
    public int readInt() {
        require(Integer.BYTES);
        return super.readInt();
    }

    @Override
    public long readLong() {
        require(Long.BYTES);
        return super.readLong();
    }

    @Override
    public double readDouble() {
        require(Double.BYTES);
        return super.readDouble();
    }

    @Override
    public byte[] readArray(int length) {
        require(length);
        return super.readArray(length);
    }

    @Override
    public ByteBuffer readByteBuffer(int length) {
        require(length);
        return super.readByteBuffer(length);
    }

    @Override
    public int readUnsignedVarint() {
        require(Byte.BYTES);
        return super.readUnsignedVarint();
    }

    @Override
    public int readVarint() {
        require(Byte.BYTES);
        return super.readVarint();
    }

    @Override
    public long readVarlong() {
        require(Byte.BYTES);
        return super.readVarlong();
    }

    @Override
    public List<RawTaggedField> readUnknownTaggedField(List<RawTaggedField> known, int tag, int length) {
        unknownFields++;
        if (unknownFields > UNKNOWN_FIELDS_MAX) {
            throw new KafkaException("a response has more than " + UNKNOWN_FIELDS_MAX + " unknown fields");
        }
        return super.readUnknownTaggedField(known, tag, length);
    }

    @Override
    public MemoryRecords readRecords(int length) {
        if (length < 0) {
            return null;
        }
        if (length > super.remaining()) {
            throw new KafkaException("a response ends within a batch of messages");
        }
        recordBytes += length;
        return MemoryRecords.readableRecords(super.readByteBuffer(length));
    }
}
