package dev.millrace.handler.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Real HTTP server on a free port of the loopback address, which records its requests. */
final class LocalServer implements AutoCloseable {
    /** A recorded request. */
    record Seen(String method, String uri, com.sun.net.httpserver.Headers headers, byte[] bytes) {
        String body() {
            return new String(bytes, UTF_8);
        }
    }

    /** Answers one request. */
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    /** Released at the end, so that hanging requests continue. */
    private final CountDownLatch closed = new CountDownLatch(1);

    LocalServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.start();
    }

    LocalServer on(String path, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                seen.add(new Seen(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        exchange.getRequestHeaders(),
                        exchange.getRequestBody().readAllBytes()));
                answer.to(exchange);
            }
        });
        return this;
    }

    LocalServer on(String path, int status, String contentType, String body) {
        return on(path, exchange -> {
            exchange.getResponseHeaders().add("Content-Type", contentType);
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    /** @param contentType empty for none */
    LocalServer on(String path, String contentType, byte[] body) {
        return on(path, exchange -> {
            if (!contentType.isEmpty()) {
                exchange.getResponseHeaders().add("Content-Type", contentType);
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        });
    }

    LocalServer redirect(String path, int status, String location) {
        return on(path, exchange -> {
            exchange.getResponseHeaders().add("Location", location);
            exchange.sendResponseHeaders(status, -1);
        });
    }

    /** Does not answer until the server is closed. */
    LocalServer hang(String path) {
        return on(path, exchange -> {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://localhost:" + port() + path;
    }

    List<Seen> seen() {
        return seen;
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
