package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Client of a Millrace gateway over REST. Each failure is a {@link CommandFailure} that says what to do. */
public final class MillraceClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** Longest wait for an answer; gateways give up on a scheduler long before. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    /** Longest silence on an event stream; gateways send something three times as often. */
    private static final Duration STREAM_SILENCE_MAX = Duration.ofSeconds(14);

    /** The workspace that the short addresses of a gateway mean unless the token is for another one only. */
    public static final String WORKSPACE_DEFAULT = "default";

    private static final String JSON = "application/json";
    private static final int PAGE_SIZE = 1000;
    private static final int STATUS_OK_MIN = 200;
    private static final int STATUS_OK_MAX = 299;
    private static final int STATUS_NO_CONTENT = 204;
    private static final int STATUS_PARTIAL = 206;
    private static final int STATUS_NOTHING_THERE = 416;
    private static final int STATUS_SERVER_ERROR = 500;

    private final Connection connection;
    private final Duration answerMax;
    private final HttpClient http;

    /** Client of the workspace {@link #WORKSPACE_DEFAULT}, without a token. */
    public MillraceClient(URI server) {
        this(Connection.to(server), ANSWER_MAX);
    }

    public MillraceClient(Connection connection) {
        this(connection, ANSWER_MAX);
    }

    /** @param answerMax longest wait for the beginning of an answer */
    MillraceClient(Connection connection, Duration answerMax) {
        this.connection = connection;
        this.answerMax = answerMax;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        // Redirects are not followed, so a plain connection stays plain, and no token gets to another server.
        if (connection.isPlain()) {
            builder.sslContext(Authorities.none());
        } else {
            connection.caFile().map(Authorities::of).ifPresent(builder::sslContext);
        }
        this.http = builder.build();
    }

    public URI server() {
        return connection.server();
    }

    public Connection connection() {
        return connection;
    }

    public String workspace() {
        return connection.workspace().orElse(WORKSPACE_DEFAULT);
    }

    /** The address to which others send the calls of a webhook. */
    public String webhookAddress(String path) {
        return base() + ApiPath.shared("/hooks").child(workspace()).child(path).text();
    }

    private String base() {
        return server().toString().replaceAll("/+$", "");
    }

    public JsonNode get(ApiPath path) {
        return json(request(path).GET().build());
    }

    public JsonNode post(ApiPath path, JsonNode body) {
        return json(posting(path, body).build());
    }

    public JsonNode put(ApiPath path, JsonNode body) {
        return json(request(path).header("Content-Type", JSON).PUT(body(body)).build());
    }

    /** Changes what the body names, and leaves the rest as it is. */
    public JsonNode patch(ApiPath path, JsonNode body) {
        return json(request(path)
                .header("Content-Type", JSON)
                .method("PATCH", body(body))
                .build());
    }

    public JsonNode delete(ApiPath path) {
        return json(request(path).DELETE().build());
    }

    /** Posts with an {@code Idempotency-Key}: a repeated call with the same key and body has no further effect. */
    public JsonNode post(ApiPath path, JsonNode body, String requestId) {
        return json(posting(path, body).header("Idempotency-Key", requestId).build());
    }

    /**
     * Posts a form as OAuth wants it. Returns refusals of the request, too, but fails if the server does.
     *
     * @param fields names and values in turns
     */
    public Answer postForm(ApiPath path, String... fields) {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            form.append(i == 0 ? "" : "&").append(fields[i]).append('=').append(ApiPath.encode(fields[i + 1]));
        }
        HttpRequest request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form.toString(), StandardCharsets.UTF_8))
                .build();
        HttpResponse<InputStream> response = send(request);
        String body = text(response);
        return Json.parse(body)
                .filter(json -> json.isObject() && response.statusCode() < STATUS_SERVER_ERROR)
                .map(json -> new Answer(response.statusCode(), json))
                .orElseThrow(() -> Problem.of(response.statusCode(), body, connection));
    }

    /** An answer of any status. */
    public record Answer(int status, JsonNode body) {
        /** The body if the call succeeded, else the failure that it describes. */
        public JsonNode orFail(Connection connection) {
            if (status < STATUS_OK_MIN || status > STATUS_OK_MAX) {
                throw Problem.of(status, Json.compact(body), connection);
            }
            return body;
        }
    }

    /** Copies the lines of a stream to a consumer until the stream ends. */
    public void lines(ApiPath path, Consumer<String> line) {
        HttpResponse<InputStream> response = send(request(path).GET().build());
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), text(response), connection);
        }
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new WatchedStream(response.body(), answerMax), StandardCharsets.UTF_8))) {
            for (String next = reader.readLine(); next != null; next = reader.readLine()) {
                line.accept(next);
            }
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /**
     * Posts bytes of any number, which take any time as long as the server takes some now and then.
     *
     * @param length number of bytes; empty if that is not known
     */
    public JsonNode upload(ApiPath path, String mediaType, InputStream bytes, OptionalLong length) {
        WatchedSource source = new WatchedSource(bytes);
        BodyPublisher body = BodyPublishers.ofInputStream(() -> source);
        HttpRequest request = untimed(path)
                .header("Content-Type", mediaType)
                .POST(
                        length.isEmpty()
                                ? body
                                : length.getAsLong() == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.fromPublisher(body, length.getAsLong()))
                .build();
        return json(await(http.sendAsync(request, BodyHandlers.ofInputStream()), source), request);
    }

    private HttpResponse<InputStream> await(CompletableFuture<HttpResponse<InputStream>> answer, WatchedSource source) {
        while (true) {
            try {
                return answer.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException pending) {
                if (source.waited().compareTo(answerMax) > 0) {
                    answer.cancel(true);
                    throw unreachable(new HttpTimeoutException("The server takes no bytes."));
                }
            } catch (ExecutionException e) {
                throw unreachable(e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
            }
        }
    }

    /**
     * Bytes that arrive from a server. The reader closes them.
     *
     * @param offset place of the first byte in the whole
     * @param total number of bytes of the whole
     * @param tag what the server calls this version of the bytes; empty if it says nothing
     */
    public record Download(InputStream bytes, long offset, long total, String tag) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            bytes.close();
        }
    }

    /** Opens bytes for reading from a place on. Empty if the server has none from there on. */
    public Optional<Download> download(ApiPath path, long offset) {
        HttpRequest.Builder request = request(path).GET();
        if (offset > 0) {
            request.header("Range", "bytes=" + offset + "-");
        }
        HttpResponse<InputStream> response = send(request.build());
        if (response.statusCode() == STATUS_NOTHING_THERE) {
            return Optional.empty();
        }
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), text(response), connection);
        }
        long first = response.statusCode() == STATUS_PARTIAL ? offset : 0;
        long length = response.headers().firstValueAsLong("Content-Length").orElse(0);
        return Optional.of(new Download(
                new WatchedStream(response.body(), answerMax),
                first,
                first + length,
                response.headers().firstValue("ETag").orElse("").replace("\"", "")));
    }

    /** Reads the pages of a list, up to {@code countMax} items. */
    public List<JsonNode> list(ApiPath path, int countMax) {
        List<JsonNode> items = new ArrayList<>();
        String pageToken = "";
        do {
            ApiPath page = path.with("page_size", String.valueOf(Math.min(PAGE_SIZE, countMax - items.size())));
            JsonNode answer = get(pageToken.isEmpty() ? page : page.with("page_token", pageToken));
            answer.path("items").forEach(items::add);
            pageToken = Json.text(answer, "next_page_token");
        } while (!pageToken.isEmpty() && items.size() < countMax);
        return items;
    }

    /** Reads a list that has no pages. */
    public List<JsonNode> all(ApiPath path) {
        List<JsonNode> items = new ArrayList<>();
        get(path).path("items").forEach(items::add);
        return items;
    }

    /** Opens a stream of server-sent events; the caller closes it. */
    public SseReader stream(ApiPath path) {
        HttpResponse<InputStream> response =
                send(request(path).header("Accept", "text/event-stream").GET().build());
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), text(response), connection);
        }
        return new SseReader(new WatchedStream(response.body(), STREAM_SILENCE_MAX));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest.Builder request(ApiPath path) {
        return untimed(path).timeout(answerMax);
    }

    private HttpRequest.Builder untimed(ApiPath path) {
        String base = base();
        String api = path.isShared()
                ? "/api/v1"
                : connection
                        .workspace()
                        .map(name -> "/api/v1/workspaces/" + name)
                        .orElse("/api/v1");
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + api + path.text())).header("User-Agent", "millrace-cli");
        connection.token().ifPresent(token -> request.header("Authorization", "Bearer " + token.text()));
        return request;
    }

    private HttpRequest.Builder posting(ApiPath path, JsonNode body) {
        return request(path).header("Content-Type", JSON).POST(body(body));
    }

    private static BodyPublisher body(JsonNode json) {
        return BodyPublishers.ofString(Json.compact(json), StandardCharsets.UTF_8);
    }

    private JsonNode json(HttpRequest request) {
        return json(send(request), request);
    }

    private JsonNode json(HttpResponse<InputStream> response, HttpRequest request) {
        String body = text(response);
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), body, connection);
        }
        if (response.statusCode() == STATUS_NO_CONTENT) {
            return Json.object();
        }
        return Json.parse(body)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.INTERNAL,
                        "The server at " + request.uri()
                                + " does not answer with JSON, so it is not a Millrace gateway."
                                + " Give the gateway's address with --server."));
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }

    private String text(HttpResponse<InputStream> response) {
        try (InputStream body = new WatchedStream(response.body(), STREAM_SILENCE_MAX)) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private CommandFailure unreachable(IOException cause) {
        return Unreachable.because(cause, connection.server(), answerMax);
    }

    private static boolean isOk(HttpResponse<?> response) {
        return response.statusCode() >= STATUS_OK_MIN && response.statusCode() <= STATUS_OK_MAX;
    }
}
