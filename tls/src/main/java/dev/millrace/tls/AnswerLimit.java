package dev.millrace.tls;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.Optional;

/**
 * Bounds what the driver of a database reads from a server at once, which it would otherwise hold in memory whatever its size is:
 * a row in pieces, an error message that claims two gigabytes, or a packet without an end. Used by the thread of a connection,
 * and by others after it.
 */
public final class AnswerLimit implements PostgresMessages.Scale {
    private final int bytesMax;
    private final Optional<BoundedConnection> connection;
    private volatile long bytes;
    /** What messages take, as far as they have begun. */
    private volatile long begun;

    /** @param bytesMax largest number of bytes from one {@link #restart} to the next */
    public AnswerLimit(int bytesMax) {
        this.bytesMax = bytesMax;
        this.connection = Optional.empty();
    }

    /**
     * Bounds the answers of a connection that takes turns for large ones.
     *
     * @param bytesMax largest number of bytes from one {@link #restart} to the next
     */
    public AnswerLimit(int bytesMax, BoundedConnection connection) {
        this.bytesMax = bytesMax;
        this.connection = Optional.of(connection);
    }

    /** What was read so far has been used. */
    public void restart() {
        bytes = 0;
        begun = 0;
    }

    /** Counts what is read from a stream. */
    public InputStream counted(InputStream stream) {
        return new FilterInputStream(stream) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                if (length > bytesMax) {
                    // A driver makes room for what a message claims to be, long before it arrives.
                    throw tooMuch();
                }
                try {
                    int read = super.read(buffer, offset, length);
                    count(Math.max(0, read));
                    return read;
                } catch (SocketException closed) {
                    throw connection.map(one -> one.explained(closed)).orElse(closed);
                }
            }
        };
    }

    /** Restarts with each request, so that a server is held to the size of one answer. */
    public OutputStream restarting(OutputStream stream) {
        return new FilterOutputStream(stream) {
            @Override
            public void write(int one) throws IOException {
                restart();
                out.write(one);
            }

            @Override
            public void write(byte[] buffer, int offset, int length) throws IOException {
                restart();
                out.write(buffer, offset, length);
            }
        };
    }

    @Override
    public void begin(long length) throws IOException {
        hold(length);
    }

    @Override
    public void add(long weight) throws IOException {
        count(weight);
        hold(weight);
    }

    private void hold(long more) throws IOException {
        long sum = begun + more;
        begun = sum;
        if (connection.isPresent()) {
            connection.get().hold(sum);
        }
    }

    private void count(long read) throws IOException {
        long sum = bytes + read;
        bytes = sum;
        if (sum > bytesMax) {
            throw tooMuch();
        }
    }

    private IOException tooMuch() {
        return new IOException("the server sends more than " + bytesMax + " bytes for one row or answer");
    }
}
