package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.tls.AddressRule;
import dev.millrace.tls.CheckedSocket;
import dev.millrace.tls.CheckedSockets;
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

    private static final String STEPS = "steps";
    private static final String PRIVATE = "private";

    private final AddressRule rule;
    private final int stepBytes;

    /** @param options from {@link #options} */
    public ListenSocketFactory(String options) {
        this(new TriggerConfig(options.contains(PRIVATE)).addressRule(), options);
    }

    private ListenSocketFactory(AddressRule rule, String options) {
        super(rule, BURST_BYTES_MAX);
        this.rule = rule;
        this.stepBytes = options.contains(STEPS) ? STEP_BYTES : Integer.MAX_VALUE;
    }

    /** Text for the driver, which it hands to the factory. */
    static String options(boolean allowsPrivate, boolean isPlain) {
        return (allowsPrivate ? PRIVATE : "") + (isPlain ? STEPS : "");
    }

    @Override
    public Socket createSocket() {
        return new Paced(rule, stepBytes);
    }

    private static final class Paced extends CheckedSocket {
        private final int stepBytes;
        private final PostgresMessages messages = new PostgresMessages(this::add, PostgresMessages.Use.NOTIFICATIONS);
        private long taken;
        private boolean isGlance;

        Paced(AddressRule rule, int stepBytes) {
            super(rule);
            this.stepBytes = stepBytes;
        }

        private void add(long bytes) {
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
