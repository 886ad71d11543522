package dev.millrace.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one connection may have open, seen from its other end. */
class ConnectionLimitsTest extends GatewayTest {

    private static final int SMALL_BUFFER_BYTES = 4 << 10;
    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;
    private static final Pattern FOUND = Pattern.compile("HTTP/1.1 200 OK");

    private static final byte HEADERS = 1;
    private static final byte RST_STREAM = 3;
    private static final byte SETTINGS = 4;
    private static final byte PING = 6;
    private static final byte ACK = 1;
    private static final byte END_STREAM_AND_HEADERS = 5;
    private static final byte INITIAL_WINDOW_SIZE = 4;
    private static final int REFUSED_STREAM = 7;

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 1_000})
    void goesOnWithHttp11IfAClientAsksForAnUpgrade(int bytesAtFirst) throws IOException {
        var socket = connect();
        byte[] request = ("GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade, HTTP2-Settings, close\r\n"
                        + "upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        int first = Math.min(bytesAtFirst, request.length);

        socket.getOutputStream().write(request, 0, first);
        socket.getOutputStream().write(request, first, request.length - first);

        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void answersRequestsThatWereSentAhead() throws IOException {
        var socket = connect();

        socket.getOutputStream().write(requests(Connection.PIPELINED_OF_STRANGERS_MAX, "/livez", "close"));

        assertThat(answers(socket)).isEqualTo(Connection.PIPELINED_OF_STRANGERS_MAX);
    }

    @Test
    void closesAConnectionWithTooManyRequestsAheadOfTheirAnswers() throws IOException {
        var socket = connect();

        socket.getOutputStream().write(requests(1_000, "/api/v1/openapi.yaml", "keep-alive"));

        assertThat(answers(socket)).isLessThan(Connection.PIPELINED_OF_STRANGERS_MAX);
    }

    @Test
    void refusesStreamsOfStrangersThatWaitForTheReader() throws IOException {
        var socket = connect();
        var frames = new ByteArrayOutputStream();
        frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frames.writeBytes(frame(SETTINGS, (byte) 0, 0, new byte[] {0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0}));
        for (int i = 0; i < 900; i++) {
            frames.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, getHeaders("/api/v1/openapi.yaml")));
        }
        frames.writeBytes(frame(PING, (byte) 0, 0, new byte[8]));

        socket.getOutputStream().write(frames.toByteArray());

        assertThat(refusalsBeforePing(new DataInputStream(socket.getInputStream())))
                .isEqualTo(900 - Connection.STREAMS_OF_STRANGERS_MAX);
    }

    private static int refusalsBeforePing(DataInputStream in) throws IOException {
        int refusals = 0;
        while (true) {
            int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
            byte type = in.readByte();
            byte flags = in.readByte();
            in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == RST_STREAM && ByteBuffer.wrap(payload).getInt() == REFUSED_STREAM) {
                refusals++;
            } else if (type == PING && flags == ACK) {
                return refusals;
            }
        }
    }

    /** A frame of HTTP/2. */
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

    /** The headers of a request with GET over http, without compression but for these two. */
    private static byte[] getHeaders(String path) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86});
        for (String text : List.of(":path", path, ":authority", "localhost")) {
            if (text.startsWith(":")) {
                out.write(0);
            }
            out.write(text.length());
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }

    private static byte[] requests(int count, String path, String connectionOfLast) {
        String request = "GET " + path + " HTTP/1.1\r\nhost: localhost\r\n";
        return ((request + "\r\n").repeat(count - 1) + request + "connection: " + connectionOfLast + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Number of successful answers until the gateway closes the connection. */
    private static int answers(Socket socket) {
        var received = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(received);
        } catch (IOException reset) {
            // Closed with requests that were not read.
        }
        return (int) FOUND.matcher(received.toString(StandardCharsets.ISO_8859_1))
                .results()
                .count();
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        return socket;
    }
}
