package dev.millrace.handler.sql;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Bounds what a driver reads from a server at once, which would otherwise be held in memory whatever its size is: a row that the
 * server sends in pieces of 16 MiB, or one without an end. Used by the thread of the connection, and by others after it.
 */
final class ReadLimit {
    private final int bytesMax;
    private volatile long bytes;

    /** @param bytesMax largest number of bytes from one {@link #restart} to the next */
    ReadLimit(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** What was read so far has been used. */
    void restart() {
        bytes = 0;
    }

    /** Counts what is read from a stream. */
    InputStream counted(InputStream stream) {
        return new FilterInputStream(stream) {
            @Override
            public int read() throws IOException {
                int read = super.read();
                count(read < 0 ? 0 : 1);
                return read;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int read = super.read(buffer, offset, length);
                count(Math.max(0, read));
                return read;
            }
        };
    }

    private void count(int read) throws IOException {
        long sum = bytes + read;
        bytes = sum;
        if (sum > bytesMax) {
            throw new IOException("the server sent more than " + bytesMax + " bytes for one row or answer");
        }
    }
}
