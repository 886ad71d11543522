package dev.millrace.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Serves the metrics of a process at {@code /metrics}, for services that have no HTTP server of their own. It asks for
 * no token, so it listens on loopback unless it is told otherwise.
 */
public final class MetricsServer implements AutoCloseable {
    /** Address without a setting: this machine alone. */
    public static final String HOST_DEFAULT = "127.0.0.1";

    private static final String PATH = "/metrics";
    /** Largest number of pages that are made at once; further requests are refused. */
    private static final int REQUESTS_MAX = 4;

    private static final int CONNECTIONS_WAITING_MAX = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int WRONG_METHOD = 405;
    private static final int BUSY = 503;

    private final HttpServer server;
    private final Metrics metrics;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore requests = new Semaphore(REQUESTS_MAX);

    private MetricsServer(HttpServer server, Metrics metrics) {
        this.server = server;
        this.metrics = metrics;
    }

    /**
     * Starts to listen.
     *
     * @param port 0 means any free port
     * @throws IllegalStateException if the address cannot be listened on
     */
    public static MetricsServer start(String host, int port, Metrics metrics) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(host, port), CONNECTIONS_WAITING_MAX);
            MetricsServer server = new MetricsServer(http, metrics);
            http.setExecutor(server.threads);
            http.createContext("/", server::serve);
            http.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The metrics cannot be served on " + host + ":" + port + ". Choose an address that is free.", e);
        }
    }

    /** The port in use, also if port 0 was asked for. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(PATH)) {
                answer(exchange, NOT_FOUND, "The metrics are at " + PATH + ".\n");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                answer(exchange, WRONG_METHOD, "The metrics can only be read, with GET.\n");
            } else if (requests.tryAcquire()) {
                try {
                    answer(exchange, OK, metrics.page(accept(exchange)));
                } finally {
                    requests.release();
                }
            } else {
                answer(exchange, BUSY, REQUESTS_MAX + " requests are being answered: try again later.\n");
            }
        }
    }

    private static String accept(HttpExchange exchange) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept"))
                .orElse("");
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        answer(exchange, status, new Metrics.Page("text/plain; charset=utf-8", text));
    }

    private static void answer(HttpExchange exchange, int status, Metrics.Page page) throws IOException {
        byte[] content = page.text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", page.contentType());
        exchange.sendResponseHeaders(status, content.length);
        exchange.getResponseBody().write(content);
    }
}
