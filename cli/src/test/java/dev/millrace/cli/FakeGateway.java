package dev.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.cli.client.Json;
import dev.millrace.contract.Contract;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Gateway that gives prepared answers over real HTTP and records the requests. Like the real one, it refuses parameters that its
 * OpenAPI document does not describe.
 */
public final class FakeGateway implements AutoCloseable {
    /**
     * A recorded request; the path includes its query and omits {@code /api/v1}.
     *
     * @param authorization the header, empty if there is none
     * @param form the body of a form, empty for JSON
     */
    public record Request(
            String method, String path, JsonNode body, String requestId, String authorization, String form) {}

    private record Answer(int status, String contentType, String body) {}

    private static final Contract CONTRACT = Contract.of(document());

    private final HttpServer server;
    private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    private FakeGateway(HttpServer server) {
        this.server = server;
    }

    public static FakeGateway start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            FakeGateway gateway = new FakeGateway(server);
            server.createContext("/", gateway::answer);
            server.start();
            return gateway;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String document() {
        try (InputStream document = FakeGateway.class.getResourceAsStream("/dev/millrace/gateway/docs/openapi.yaml")) {
            return new String(requireNonNull(document, "openapi.yaml").readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Prepares the next answer to a method and path such as {@code GET /runs}; the last prepared answer repeats. */
    public FakeGateway on(String methodAndPath, int status, String json) {
        return on(
                methodAndPath,
                new Answer(status, status < 400 ? "application/json" : "application/problem+json", json));
    }

    /** Prepares a stream of events, each given as name and data. */
    public FakeGateway onStream(String methodAndPath, String... namesAndData) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < namesAndData.length; i += 2) {
            body.append("event: ")
                    .append(namesAndData[i])
                    .append("\ndata: ")
                    .append(namesAndData[i + 1])
                    .append("\n\n");
        }
        return on(methodAndPath, new Answer(200, "text/event-stream", body.toString()));
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private FakeGateway on(String methodAndPath, Answer answer) {
        answers.computeIfAbsent(methodAndPath, key -> new ArrayDeque<>()).add(answer);
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString().replaceFirst("^/api/v1", "");
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        requests.add(new Request(
                exchange.getRequestMethod(),
                path,
                Json.parse(body).orElseGet(Json::object),
                header(exchange, "Idempotency-Key"),
                header(exchange, "Authorization"),
                header(exchange, "Content-Type").contains("form") ? body : ""));
        Queue<Answer> prepared = answers.getOrDefault(
                exchange.getRequestMethod() + " " + path.replaceFirst("\\?.*", ""), new ArrayDeque<>());
        Answer answer = prepared.size() > 1 ? prepared.remove() : prepared.peek();
        if (answer == null) {
            answer = new Answer(404, "application/problem+json", "{\"detail\":\"There is no such thing.\"}");
        }
        List<String> unknown = unknownParameters(exchange);
        if (!unknown.isEmpty()) {
            answer =
                    new Answer(400, "application/problem+json", "{\"detail\":\"Unknown parameters: " + unknown + "\"}");
        }
        byte[] bytes = answer.body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.contentType);
        exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static List<String> unknownParameters(HttpExchange exchange) {
        URI uri = exchange.getRequestURI();
        Set<String> known = CONTRACT.find(exchange.getRequestMethod(), uri)
                .map(operation -> operation.query().keySet())
                .orElse(Set.of());
        return Stream.ofNullable(uri.getRawQuery())
                .flatMap(query -> Stream.of(query.split("&", -1)))
                .map(pair -> pair.replaceFirst("=.*", ""))
                .filter(name -> !known.contains(name))
                .toList();
    }

    private static String header(HttpExchange exchange, String name) {
        return String.join(",", exchange.getRequestHeaders().getOrDefault(name, List.of()));
    }
}
