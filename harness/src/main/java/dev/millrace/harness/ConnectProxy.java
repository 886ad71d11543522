package dev.millrace.harness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An HTTP proxy as companies have one, which connects clients by {@code CONNECT} (RFC 9110, section 9.3.6): to servers of
 * this machine under names that no resolver knows, and to nothing else.
 */
public final class ConnectProxy implements AutoCloseable {
    private static final int HEAD_BYTES_MAX = 8 * 1024;

    private final ServerSocket listener;
    private final Map<String, Integer> portOf = new ConcurrentHashMap<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    public ConnectProxy() {
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen.", e);
        }
        Thread.ofVirtual().name("connect-proxy").start(this::accept);
    }

    /** Address for {@code HTTPS_PROXY}. */
    public String address() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** Leads port 443 of a name to a port of this machine. */
    public void lead(String name, int port) {
        portOf.put(requireNonNull(name, "name") + ":443", port);
    }

    /** Names and ports that clients asked for, in this order, also those that the proxy refused. */
    public Queue<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        closeQuietly(listener);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("connect-proxy-client").start(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try (client) {
            String[] request = head(client.getInputStream()).split(" ", 3);
            String target = request.length > 1 ? request[1] : "";
            asked.add(target);
            Integer port = portOf.get(target);
            if (!request[0].equals("CONNECT") || port == null) {
                client.getOutputStream()
                        .write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
                return;
            }
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(ISO_8859_1));
                Thread back = Thread.ofVirtual().start(() -> forward(server, client));
                forward(client, server);
                back.join();
            }
        } catch (IOException gone) {
            // One side is gone, which closes the other one.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int one = in.read();
            if (one < 0 || head.length() == HEAD_BYTES_MAX) {
                throw new IOException("The client of the proxy has sent no request.");
            }
            head.append((char) one);
        }
        return head.toString();
    }

    private static void forward(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException gone) {
            closeQuietly(to);
        }
    }

    private static void closeQuietly(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception alreadyClosed) {
            // Nothing is left to close.
        }
    }
}
