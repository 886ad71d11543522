package dev.millrace.e2e.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends requests over its own connections, and never reads an answer. */
final class UnreadCaller implements AutoCloseable {
    /** Time without any progress after which a peer counts as one that reads no more. */
    private static final Duration STUCK = Duration.ofSeconds(1);

    private static final int SMALL_BUFFER_BYTES = 4 << 10;

    private static final byte HEADERS = 1;
    private static final byte SETTINGS = 4;
    private static final byte PING = 6;
    private static final byte WINDOW_UPDATE = 8;
    private static final byte END_STREAM_AND_HEADERS = 5;
    private static final byte INITIAL_WINDOW_SIZE = 4;
    private static final int GET = 0x82;
    private static final int SCHEME_HTTP = 0x86;
    private static final int LENGTH_MAX = 126;

    private final InetSocketAddress gateway;
    private final Optional<String> token;
    private final List<SocketChannel> connections = new ArrayList<>();

    /** @param token shown with each request; absent for a stranger */
    UnreadCaller(URI gateway, Optional<String> token) {
        this.gateway = new InetSocketAddress(gateway.getHost(), gateway.getPort());
        this.token = token;
    }

    /** Requests over HTTP/1.1, all before the first answer. */
    void pipeline(String method, String path, int count) {
        String shown =
                token.map(text -> "Authorization: Bearer " + text + "\r\n").orElse("");
        String request =
                method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html, */*\r\n" + shown + "\r\n";
        send(request.repeat(count).getBytes(StandardCharsets.US_ASCII));
    }

    /** Streams of HTTP/2 that allow no byte of an answer, or the largest window, for a socket that is not read. */
    void streams(String path, int count, boolean isOpen) {
        var frames = begin(isOpen ? Integer.MAX_VALUE : 0);
        if (isOpen) {
            frames.writeBytes(frame(WINDOW_UPDATE, (byte) 0, 0, intBytes(Integer.MAX_VALUE - (64 << 10))));
        }
        for (int i = 0; i < count; i++) {
            frames.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, headers(path)));
        }
        send(frames.toByteArray());
    }

    /** Frames of HTTP/2 that the peer must acknowledge. Returns how many bytes it has read. */
    long acknowledged(boolean isPing, int count) {
        var frames = begin(0);
        byte[] frame = isPing ? frame(PING, (byte) 0, 0, new byte[8]) : frame(SETTINGS, (byte) 0, 0, new byte[0]);
        for (int i = 0; i < count; i++) {
            frames.writeBytes(frame);
        }
        return send(frames.toByteArray());
    }

    /** Sends until all is sent, or the peer has closed the connection or reads no more. */
    private long send(byte[] bytes) {
        long sent = 0;
        try {
            SocketChannel connection = SocketChannel.open();
            connections.add(connection);
            connection.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_BUFFER_BYTES);
            connection.connect(gateway);
            connection.configureBlocking(false);
            try (Selector selector = Selector.open()) {
                connection.register(selector, SelectionKey.OP_WRITE);
                ByteBuffer left = ByteBuffer.wrap(bytes);
                while (left.hasRemaining() && selector.select(STUCK.toMillis()) > 0) {
                    selector.selectedKeys().clear();
                    sent += connection.write(left);
                }
            }
        } catch (IOException closed) {
            // That is one of the answers that an attacker may get.
        }
        return sent;
    }

    private static ByteArrayOutputStream begin(int window) {
        var frames = new ByteArrayOutputStream();
        frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frames.writeBytes(frame(
                SETTINGS,
                (byte) 0,
                0,
                ByteBuffer.allocate(6)
                        .putShort(INITIAL_WINDOW_SIZE)
                        .putInt(window)
                        .array()));
        return frames;
    }

    private static byte[] frame(byte type, byte flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put(type)
                .put(flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private byte[] headers(String path) {
        var out = new ByteArrayOutputStream();
        out.write(GET);
        out.write(SCHEME_HTTP);
        literal(out, ":path", path);
        literal(out, ":authority", "localhost");
        token.ifPresent(text -> literal(out, "authorization", "Bearer " + text));
        return out.toByteArray();
    }

    private static void literal(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        for (String text : List.of(name, value)) {
            if (text.length() > LENGTH_MAX) {
                throw new IllegalArgumentException(text + " (expected: at most " + LENGTH_MAX + " characters)");
            }
            out.write(text.length());
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static byte[] intBytes(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    @Override
    public void close() {
        for (SocketChannel connection : connections) {
            try {
                connection.close();
            } catch (IOException gone) {
                // It is closed either way.
            }
        }
    }
}
