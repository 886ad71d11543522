package dev.millrace.e2e.load;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Client with connections to the gateway that no well-behaved client opens. It ignores the answers. */
final class HttpAttacker implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int RECEIVE_BUFFER_BYTES = 4 << 10;
    private static final int SOCKET_TIMEOUT_MILLIS = 20_000;

    private final URI gateway;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    HttpAttacker(URI gateway) {
        this.gateway = gateway;
    }

    /** Sends a body except its last byte, so that the request stays incomplete. */
    void sendAllButTheEnd(String path, int bodyBytes) throws IOException {
        OutputStream out = open().getOutputStream();
        out.write(head(path, bodyBytes));
        sendFiller(out, bodyBytes - 1);
    }

    /** Sends a complete request and reads the first byte of the answer. */
    void send(String path, byte[] body) throws IOException {
        Socket socket = open();
        socket.getOutputStream().write(head(path, body.length));
        socket.getOutputStream().write(body);
        var _ = socket.getInputStream().read();
        socket.close();
    }

    /** Sends a request and never reads the answer. */
    void askAndNeverRead(String path) throws IOException {
        OutputStream out = open().getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nhost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Begins a request and leaves its headers incomplete. */
    void beginHeaders() throws IOException {
        OutputStream out = open().getOutputStream();
        out.write("POST /api/v1/runs HTTP/1.1\r\nhost: localhost\r\nx-slow: ".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Closes all connections. */
    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException gone) {
                // The connection is closed either way.
            }
        }
        sockets.clear();
    }

    private Socket open() throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()), SOCKET_TIMEOUT_MILLIS);
        return socket;
    }

    private static byte[] head(String path, int bodyBytes) {
        return ("POST " + path + " HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
                        + bodyBytes + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void sendFiller(OutputStream out, int bytes) throws IOException {
        var piece = new byte[PIECE_BYTES];
        Arrays.fill(piece, (byte) ' ');
        for (int left = bytes; left > 0; left -= piece.length) {
            out.write(piece, 0, Math.min(left, piece.length));
        }
        out.flush();
    }
}
