package dev.millrace.scheduler.mqtt.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Reads the parts of a packet. Not thread-safe. */
final class Body {
    private final byte[] bytes;
    private int at;
    private boolean hasInvalidText;

    Body(byte[] bytes) {
        this.bytes = bytes;
    }

    int left() {
        return bytes.length - at;
    }

    int oneByte() throws ProtocolException {
        require(1);
        return bytes[at++] & 0xff;
    }

    int twoBytes() throws ProtocolException {
        return (oneByte() << 8) | oneByte();
    }

    /** A number of one to four bytes with seven bits each. */
    int varint() throws ProtocolException {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = oneByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new ProtocolException("a length has more than four bytes");
    }

    byte[] bytes(int length) throws ProtocolException {
        require(length);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    byte[] binary() throws ProtocolException {
        return bytes(twoBytes());
    }

    /** A text, with U+FFFD in place of what is not UTF-8. */
    String text() throws ProtocolException {
        byte[] encoded = binary();
        String text = new String(encoded, UTF_8);
        hasInvalidText |= !Arrays.equals(text.getBytes(UTF_8), encoded);
        return text;
    }

    /** Whether a text that was read is not UTF-8. */
    boolean hasInvalidText() {
        return hasInvalidText;
    }

    void skip(int length) throws ProtocolException {
        require(length);
        at += length;
    }

    private void require(int length) throws ProtocolException {
        if (length > left()) {
            throw new ProtocolException("a packet is shorter than it says");
        }
    }
}
