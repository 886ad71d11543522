package dev.millrace.scheduler.postgres;

import dev.millrace.tls.BoundedConnection;
import dev.millrace.tls.CheckedSockets;
import dev.millrace.tls.OwnedSocket;
import dev.millrace.tls.PostgresMessages;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/**
 * Sockets of connections that listen. The Postgres driver reads notifications for as long as any arrive, and keeps all of them, so
 * a burst would fill the heap. Without TLS, these sockets pretend after some bytes that nothing more has arrived; the rest waits
 * at the server. With TLS, they cannot know where a notification ends, so a burst that is too large ends the connection. The
 * driver makes the factory by its name.
 */
public final class ListenSocketFactory extends CheckedSockets {
    /** Bytes after which a connection is given up. */
    static final int BURST_BYTES_MAX = 16 << 20;
    /** Bytes after which a look for notifications ends. */
    private static final int STEP_BYTES = 256 << 10;
    /** The driver sets this timeout to ask whether anything has arrived. */
    private static final int GLANCE_MILLIS = 1;

    /** Precedes the name of a connection without TLS. */
    private static final String STEPS = "steps:";

    private final BoundedConnection connection;
    private final int stepBytes;

    /** @param options from {@link #options} */
    public ListenSocketFactory(String options) {
        this(
                BoundedConnection.named(connectionOf(options)),
                options.startsWith(STEPS) ? STEP_BYTES : Integer.MAX_VALUE);
    }

    private ListenSocketFactory(BoundedConnection connection, int stepBytes) {
        super(connection, BURST_BYTES_MAX, RowSocketFactory.OTHER_BYTES_MAX);
        this.connection = connection;
        this.stepBytes = stepBytes;
    }

    /** Text for the driver, which it hands to the factory. */
    static String options(BoundedConnection connection, boolean isPlain) {
        return (isPlain ? STEPS : "") + connection.name();
    }

    /** The name of the connection in the text for the factory. */
    static String connectionOf(String options) {
        return options.startsWith(STEPS) ? options.substring(STEPS.length()) : options;
    }

    @Override
    public Socket createSocket() {
        return new Paced(connection, stepBytes);
    }

    private static final class Paced extends OwnedSocket implements PostgresMessages.Scale {
        private final BoundedConnection connection;
        private final int stepBytes;
        private final PostgresMessages messages =
                new PostgresMessages(this, PostgresMessages.Use.NOTIFICATIONS, RowSocketFactory.OTHER_BYTES_MAX);
        private long taken;
        private boolean isGlance;

        Paced(BoundedConnection connection, int stepBytes) {
            super(connection);
            this.connection = connection;
            this.stepBytes = stepBytes;
        }

        @Override
        public void begin(long bytes) throws IOException {
            connection.hold(taken + bytes);
        }

        @Override
        public void add(long bytes) {
            taken += bytes;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return messages.observed(super.getOutputStream());
        }

        @Override
        public void setSoTimeout(int millis) throws SocketException {
            isGlance = millis == GLANCE_MILLIS;
            if (millis > GLANCE_MILLIS) {
                // A look begins or has ended.
                taken = 0;
            }
            super.setSoTimeout(millis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(messages.weighed(super.getInputStream())) {
                @Override
                public int available() throws IOException {
                    return taken >= stepBytes ? 0 : in.available();
                }

                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    if (length > BURST_BYTES_MAX) {
                        // The driver makes room for what a message claims to be, long before it arrives.
                        throw new IOException("the server sends a message of more than " + BURST_BYTES_MAX + " bytes");
                    }
                    if (isGlance && taken >= stepBytes) {
                        throw new SocketTimeoutException("more notifications are read later");
                    }
                    if (taken >= BURST_BYTES_MAX) {
                        throw new IOException(
                                "more notifications came at once than are held, and those of the burst are lost");
                    }
                    // Byte by byte, nothing of the next notification gets into the buffer of the driver.
                    int count = in.read(buffer, offset, taken >= stepBytes ? Math.min(1, length) : length);
                    taken += Math.max(0, count);
                    return count;
                }
            };
        }
    }
}
