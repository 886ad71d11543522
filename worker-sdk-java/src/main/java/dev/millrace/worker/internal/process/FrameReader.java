package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Splits the frames channel of a process into frames. The buffer grows with the longest line, up to a limit. */
final class FrameReader {
    static final int BUFFER_BYTES_MIN = 16 << 10;

    private final InputStream in;
    private final IntSupplier frameBytesMax;
    private byte[] buffer = new byte[BUFFER_BYTES_MIN];
    private int from;
    private int scanned;
    private int to;

    /** @param frameBytesMax largest frame at present; asked when a frame outgrows the buffer */
    FrameReader(InputStream in, IntSupplier frameBytesMax) {
        this.in = in;
        this.frameBytesMax = frameBytesMax;
    }

    /** Returns the next frame, or null at the end of the channel, which discards an incomplete line. */
    @Nullable Frame next() throws IOException, ProtocolException {
        while (true) {
            while (scanned < to) {
                if (buffer[scanned++] == '\n') {
                    int lineFrom = from;
                    from = scanned;
                    return FrameParser.parse(buffer, lineFrom, scanned - 1);
                }
            }
            makeRoom();
            int read = in.read(buffer, to, buffer.length - to);
            if (read < 0) {
                return null;
            }
            to += read;
        }
    }

    private void makeRoom() throws ProtocolException {
        if (from == to) {
            from = 0;
            scanned = 0;
            to = 0;
            if (buffer.length > BUFFER_BYTES_MIN) {
                buffer = new byte[BUFFER_BYTES_MIN];
            }
        } else if (to == buffer.length && from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            scanned -= from;
            from = 0;
        }
        if (to == buffer.length) {
            int bytesMax = frameBytesMax.getAsInt();
            if (buffer.length >= bytesMax) {
                throw new ProtocolException(
                        "a frame of more than " + bytesMax + " bytes.", FrameParser.isResult(buffer, to));
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, bytesMax));
        }
    }
}
