package dev.millrace.scheduler.lane;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A parameter of type {@code uuid[]} in Postgres's binary form, which the driver supports only for arrays of numbers
 * and texts. Binding ids as text cost a lane more than all its other parameters.
 *
 * <p>The form is the one that {@code array_recv} in Postgres's {@code arrayfuncs.c} reads: number of dimensions, flag
 * for nulls, type of the elements, size and lower bound of the dimension; then each element after its length. The
 * driver falls back to text if the connection lacks {@code binaryTransferEnable} for {@code uuid[]}.
 */
final class UuidArray extends PGobject implements PGBinaryObject {
    private static final int ELEMENT_OID = 2950;
    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;
    private static final int LENGTH_OF_NULL = -1;

    @SuppressWarnings("serial") // Parameters are never serialized.
    private final @Nullable UUID[] values;

    UuidArray(@Nullable UUID[] values) {
        this.values = values;
        setType("_uuid");
    }

    @Override
    public int lengthInBytes() {
        int length = HEADER_BYTES + values.length * Integer.BYTES;
        for (UUID value : values) {
            length += value == null ? 0 : UUID_BYTES;
        }
        return length;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
        boolean hasNulls = Arrays.stream(values).anyMatch(Objects::isNull);
        buffer.putInt(1)
                .putInt(hasNulls ? 1 : 0)
                .putInt(ELEMENT_OID)
                .putInt(values.length)
                .putInt(1);
        for (UUID value : values) {
            if (value == null) {
                buffer.putInt(LENGTH_OF_NULL);
            } else {
                buffer.putInt(UUID_BYTES)
                        .putLong(value.getMostSignificantBits())
                        .putLong(value.getLeastSignificantBits());
            }
        }
    }

    @Override
    public void setByteValue(byte[] bytes, int offset) {
        throw new UnsupportedOperationException("uuid[] is only sent");
    }

    @Override
    public String getValue() {
        return Arrays.stream(values)
                .map(value -> value == null ? "NULL" : value.toString())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
