package dev.millrace.worker.internal.process;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Decodes output that arrives in pieces, which may end within a character. Invalid bytes become U+FFFD. */
final class LogDecoder {
    /** A piece, and what was left of the one before. */
    private static final int BYTES_MAX = ProcessReader.STDERR_READ_BYTES + 4;

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final ByteBuffer in = ByteBuffer.allocate(BYTES_MAX);
    private final CharBuffer out = CharBuffer.allocate(BYTES_MAX);

    /** @param length at most {@link ProcessReader#STDERR_READ_BYTES} */
    String decode(byte[] bytes, int length) {
        in.put(bytes, 0, length).flip();
        decoder.decode(in, out.clear(), false);
        in.compact();
        return out.flip().toString();
    }
}
