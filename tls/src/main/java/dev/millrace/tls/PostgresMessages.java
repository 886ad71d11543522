package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Weighs the messages of a PostgreSQL server by what the driver makes of them. Short ones take up to a thousand times as much
 * on the heap as on the way: a notice of 6 bytes becomes an exception with a stack. Some of them the driver keeps for as long as the
 * connection lasts. Used by the thread of a connection, and by others after it.
 */
public final class PostgresMessages {
    /** Heap for a message, beside its bytes. */
    private static final int MESSAGE_BYTES = 64;
    /** Heap for the value of a column, beside its bytes. */
    private static final int VALUE_BYTES = 24;
    /** How many times as much a description of columns takes as its bytes. */
    private static final int DESCRIPTION_FACTOR = 8;
    /** Heap for a notice or an error: an exception with its stack and its fields. */
    private static final int NOTICE_BYTES = 2 << 10;

    private static final int NOTIFICATION_BYTES = 300;
    /** Largest sum of what the driver keeps as long as the connection lasts. */
    private static final int KEPT_BYTES_MAX = 4 << 20;
    /** Largest number of settings of which a server tells the value. PostgreSQL itself has some 15. */
    private static final int PARAMETERS_MAX = 200;
    /** Largest message with the value of a setting, which the driver keeps. The longest in use are paths of schemas. */
    private static final int SETTING_BYTES_MAX = 8 << 10;

    private static final int SKIPPED_BYTES_MAX = 8 << 10;
    private static final int LENGTH_BYTES = 4;
    private static final int COUNT_BYTES = 2;
    /** Requests for TLS, and for the encryption of Kerberos: a length and a code. A single byte answers to them. */
    private static final int ENCRYPTION_REQUEST_BYTES = 8;

    private static final int TLS_CODE = 80_877_103;
    private static final int KERBEROS_CODE = 80_877_104;
    private static final int REFUSED = 'N';
    private static final int FAILED = 'E';

    /** What the connection is for, which decides what the driver keeps. */
    public enum Use {
        STATEMENTS,
        /** Notifications are taken from the driver. Notices are not. */
        NOTIFICATIONS
    }

    /** Adds up what is read. */
    public interface Scale {
        /**
         * A message begins, which the driver may make room for at once.
         *
         * @param bytes its length
         * @throws IOException if it cannot be read
         */
        void begin(long bytes) throws IOException;

        /**
         * Adds what messages take beside their bytes.
         *
         * @throws IOException if the sum is too large
         */
        void add(long bytes) throws IOException;
    }

    /** What comes next. */
    private enum Expected {
        TYPE,
        LENGTH,
        BODY,
        /** The answer to a request for encryption. */
        ENCRYPTION,
        /** Bytes that are no messages, since they are encrypted. */
        NOTHING
    }

    private final Scale limit;
    private final Use use;
    private final int otherBytesMax;
    private final Set<Integer> parameters = new HashSet<>();
    private long kept;

    private volatile Expected expected = Expected.TYPE;
    private int type;
    private int number;
    private int numberBytes;
    private long left;
    private boolean isNamed;
    private int name;

    /**
     * Weighs the messages to one connection.
     *
     * @param limit of what is read, which counts the bytes of messages itself
     * @param otherBytesMax largest message that is no row: the driver keeps a buffer of its size as long as the
     *     connection lasts
     */
    public PostgresMessages(Scale limit, Use use, int otherBytesMax) {
        this.limit = requireNonNull(limit, "limit");
        this.use = requireNonNull(use, "use");
        this.otherBytesMax = otherBytesMax;
    }

    /** Weighs what is read from a stream. */
    public InputStream weighed(InputStream stream) {
        return new FilterInputStream(stream) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int read = super.read(buffer, offset, length);
                if (read > 0) {
                    received(ByteBuffer.wrap(buffer, offset, read));
                }
                return read;
            }

            // What is skipped may hold the beginning of a message.
            @Override
            public long skip(long bytes) throws IOException {
                byte[] piece = new byte[(int) Math.max(0, Math.min(bytes, SKIPPED_BYTES_MAX))];
                return Math.max(0, read(piece, 0, piece.length));
            }
        };
    }

    /** Notices in what is written that the connection may be encrypted from then on. */
    public OutputStream observed(OutputStream stream) {
        return new FilterOutputStream(stream) {
            @Override
            public void write(int one) throws IOException {
                out.write(one);
            }

            @Override
            public void write(byte[] buffer, int offset, int length) throws IOException {
                if (length == ENCRYPTION_REQUEST_BYTES) {
                    sent(ByteBuffer.wrap(buffer, offset, length));
                }
                out.write(buffer, offset, length);
            }
        };
    }

    private void sent(ByteBuffer request) {
        int length = request.getInt();
        int code = request.getInt();
        if (length == ENCRYPTION_REQUEST_BYTES && (code == TLS_CODE || code == KERBEROS_CODE)) {
            expected = Expected.ENCRYPTION;
        }
    }

    private void received(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && expected != Expected.NOTHING) {
            switch (expected) {
                case ENCRYPTION -> encryption(bytes.get() & 0xff);
                case TYPE -> {
                    type = bytes.get() & 0xff;
                    expect(Expected.LENGTH);
                }
                case LENGTH -> {
                    if (isRead(LENGTH_BYTES, bytes)) {
                        begin(number);
                    }
                }
                case BODY -> body(bytes);
                case NOTHING -> {}
            }
        }
    }

    private void encryption(int answer) {
        switch (answer) {
            case REFUSED -> expect(Expected.TYPE);
            case FAILED -> {
                type = FAILED;
                expect(Expected.LENGTH);
            }
            default -> expect(Expected.NOTHING);
        }
    }

    private void expect(Expected next) {
        expected = next;
        number = 0;
        numberBytes = 0;
    }

    /** Reads a number. Returns whether all of its bytes are there. */
    private boolean isRead(int size, ByteBuffer bytes) {
        while (numberBytes < size && bytes.hasRemaining()) {
            number = (number << Byte.SIZE) | (bytes.get() & 0xff);
            numberBytes++;
        }
        return numberBytes == size;
    }

    private void begin(int length) throws IOException {
        if (length < LENGTH_BYTES) {
            throw new IOException("the server sends a message of " + length + " bytes");
        }
        int lengthMax = switch (type) {
            case 'D' -> Integer.MAX_VALUE;
            case 'S' -> Math.min(SETTING_BYTES_MAX, otherBytesMax);
            default -> otherBytesMax;
        };
        if (length > lengthMax) {
            throw new IOException("the server sends more than " + lengthMax + " bytes in a message that is no row");
        }
        left = (long) length - LENGTH_BYTES;
        isNamed = false;
        name = 0;
        limit.begin(length);
        limit.add(weight(length));
        switch (type) {
            case 'A' -> keep(use == Use.STATEMENTS ? length + (long) NOTIFICATION_BYTES : 0);
            case 'N' -> keep(use == Use.NOTIFICATIONS ? NOTICE_BYTES : 0);
            default -> {}
        }
        expect(left == 0 ? Expected.TYPE : Expected.BODY);
    }

    private long weight(int length) {
        return switch (type) {
            case 'N', 'E' -> NOTICE_BYTES;
            case 'A' -> NOTIFICATION_BYTES;
            case 'T' -> MESSAGE_BYTES + (long) DESCRIPTION_FACTOR * length;
            default -> MESSAGE_BYTES;
        };
    }

    private void keep(long bytes) throws IOException {
        kept += bytes;
        if (kept > KEPT_BYTES_MAX) {
            throw new IOException("the server sends more than " + KEPT_BYTES_MAX
                    + " bytes of notices or notifications that nobody takes");
        }
    }

    private void body(ByteBuffer bytes) throws IOException {
        if (type == 'S' && !isNamed) {
            int letter = bytes.get();
            left--;
            name = 31 * name + letter;
            isNamed = letter == 0;
            if (isNamed) {
                learn(name);
            }
        } else if (type == 'D' && numberBytes < COUNT_BYTES) {
            int before = bytes.remaining();
            if (isRead(COUNT_BYTES, bytes)) {
                limit.add((long) VALUE_BYTES * number);
            }
            left -= before - bytes.remaining();
        } else {
            int skipped = (int) Math.min(left, bytes.remaining());
            bytes.position(bytes.position() + skipped);
            left -= skipped;
        }
        if (left <= 0) {
            expect(Expected.TYPE);
        }
    }

    private void learn(int parameter) throws IOException {
        if (parameters.add(parameter) && parameters.size() > PARAMETERS_MAX) {
            throw new IOException("the server sends more than " + PARAMETERS_MAX + " settings");
        }
    }
}
