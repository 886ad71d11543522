package dev.millrace.cli.blob;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Gateway with one blob, which breaks downloads off after a number of bytes. */
final class FlakyBlobs implements AutoCloseable {
    static final String ID = "019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41";

    /** The header {@code Range} of each download, empty if it had none. */
    final List<String> ranges = Collections.synchronizedList(new ArrayList<>());

    volatile byte[] bytes;
    /** Number of bytes after which a download breaks off. */
    volatile int bytesMax = Integer.MAX_VALUE;

    volatile String sha256;
    volatile String mediaType = "";

    private final HttpServer server;

    FlakyBlobs(String text) {
        bytes = text.getBytes(StandardCharsets.UTF_8);
        sha256 = digest(bytes);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/api/v1/blobs", this::answer);
        server.start();
    }

    static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.digest().digest(bytes));
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("POST")) {
                store(exchange);
            } else {
                send(exchange);
            }
        }
    }

    private void store(HttpExchange exchange) throws IOException {
        bytes = exchange.getRequestBody().readAllBytes();
        mediaType = exchange.getRequestHeaders().getFirst("Content-Type");
        String answer = "{\"$blob\":\"" + ID + "\",\"bytes\":" + bytes.length + ",\"sha256\":\""
                + (sha256.isEmpty() ? digest(bytes) : sha256) + "\"}";
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(201, body.length);
        exchange.getResponseBody().write(body);
    }

    private void send(HttpExchange exchange) throws IOException {
        String range = String.join(",", exchange.getRequestHeaders().getOrDefault("Range", List.of()));
        ranges.add(range);
        int first = range.isEmpty() ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        exchange.getResponseHeaders().set("ETag", "\"" + sha256 + "\"");
        exchange.sendResponseHeaders(range.isEmpty() ? 200 : 206, bytes.length - first);
        // Closing the exchange before all bytes were written breaks the connection.
        exchange.getResponseBody().write(bytes, first, Math.min(bytesMax, bytes.length - first));
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
