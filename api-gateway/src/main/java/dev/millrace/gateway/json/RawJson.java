package dev.millrace.gateway.json;

import com.fasterxml.jackson.core.SerializableString;
import com.google.protobuf.ByteString;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * JSON payload that Jackson's UTF-8 generator copies as bytes. It is neither decoded nor checked, so white space, key
 * order and the digits of numbers stay.
 */
record RawJson(ByteString json) implements SerializableString {

    private static final int DOES_NOT_FIT = -1;

    @Override
    public int appendUnquotedUTF8(byte[] buffer, int offset) {
        if (json.size() > buffer.length - offset) {
            return DOES_NOT_FIT;
        }
        json.copyTo(buffer, offset);
        return json.size();
    }

    @Override
    public byte[] asUnquotedUTF8() {
        return json.toByteArray();
    }

    @Override
    public String getValue() {
        throw bytesOnly();
    }

    @Override
    public int charLength() {
        throw bytesOnly();
    }

    @Override
    public char[] asQuotedChars() {
        throw bytesOnly();
    }

    @Override
    public byte[] asQuotedUTF8() {
        throw bytesOnly();
    }

    @Override
    public int appendQuotedUTF8(byte[] buffer, int offset) {
        throw bytesOnly();
    }

    @Override
    public int appendQuoted(char[] buffer, int offset) {
        throw bytesOnly();
    }

    @Override
    public int appendUnquoted(char[] buffer, int offset) {
        throw bytesOnly();
    }

    @Override
    public int writeQuotedUTF8(OutputStream out) {
        throw bytesOnly();
    }

    @Override
    public int writeUnquotedUTF8(OutputStream out) {
        throw bytesOnly();
    }

    @Override
    public int putQuotedUTF8(ByteBuffer buffer) {
        throw bytesOnly();
    }

    @Override
    public int putUnquotedUTF8(ByteBuffer buffer) {
        throw bytesOnly();
    }

    private static UnsupportedOperationException bytesOnly() {
        return new UnsupportedOperationException("Raw JSON is only ever written to a UTF-8 generator.");
    }
}
