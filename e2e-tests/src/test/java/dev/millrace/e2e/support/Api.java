package dev.millrace.e2e.support;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.contract.Contract;
import dev.millrace.contract.Exchange;
import dev.millrace.harness.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's REST interface from the view of a plain HTTP client. Fails at each answer that the gateway's OpenAPI
 * document does not describe. Thread-safe.
 */
public final class Api {
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longest start of a cluster: on a busy machine, eight JVMs take a minute and more. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(5);

    private static final Set<String> END_STATES = Set.of("succeeded", "failed", "canceled");
    private static final Duration CALL_LIMIT = Duration.ofSeconds(90);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI root;
    private final String token;
    private @Nullable Contract contract;

    public Api(URI gateway) {
        this(gateway, "");
    }

    /**
     * An API whose calls show a token.
     *
     * @param token empty for none
     */
    public Api(URI gateway, String token) {
        this.root = requireNonNull(gateway, "gateway is null");
        this.token = token;
    }

    public Answer get(String path) {
        return send(request(path).GET().build());
    }

    public Answer get(String path, String... headers) {
        HttpRequest.Builder request = request(path);
        return send(
                (headers.length == 0 ? request : request.headers(headers)).GET().build());
    }

    public Answer head(String path) {
        return send(request(path).HEAD().build());
    }

    public Answer delete(String path) {
        return send(request(path).DELETE().build());
    }

    /** Sends a request whose method is {@code PUT} or {@code PATCH}. */
    public Answer write(String method, String path, Object body) {
        return send(request(path)
                .header("content-type", "application/json")
                .method(method, BodyPublishers.ofString(Json.of(body).toString()))
                .build());
    }

    public Answer post(String path, Object body, String... headers) {
        return postText(path, Json.of(body).toString(), headers);
    }

    public Answer postText(String path, String body, String... headers) {
        var request = request(path).header("content-type", "application/json").POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /** Sends a form as OAuth clients and browsers do. */
    public Answer postForm(String path, Map<String, String> fields, String... headers) {
        String form = fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        var request = request(path)
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    public Answer put(String path, Object body) {
        return send(request(path)
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString(Json.of(body).toString()))
                .build());
    }

    /** Deploys a script; the path's ending determines its language. */
    public void deployScript(String path, String content) {
        post("/api/v1/scripts", Map.of("path", path, "content", content)).ok();
    }

    /** Deploys a flow with its scripts. */
    public void deployFlow(String definition, Map<String, String> files) {
        post("/api/v1/flows", Map.of("file_name", "flow.yaml", "definition", definition, "files", files))
                .ok();
    }

    /** Submits a run of {@code {"target": …}} and returns its id. */
    public String submit(Map<String, Object> run) {
        return post("/api/v1/runs", run).ok().path("id").asText();
    }

    /** Submits a run and waits for its end. */
    public JsonNode runToEnd(Map<String, Object> run) {
        return awaitEnd(submitAndWait(run).ok());
    }

    /** Submits a run; the gateway answers when it has ended or has returned early. */
    public Answer submitAndWait(Map<String, Object> run) {
        return post("/api/v1/runs?wait=" + PATIENCE.toSeconds() + "s", run);
    }

    /** Waits until the run has ended, unless it has in this answer. */
    public JsonNode awaitEnd(JsonNode answer) {
        return hasEnded(answer) ? answer : awaitEnd(answer.path("id").asText());
    }

    public JsonNode run(String runId) {
        return get("/api/v1/runs/" + runId).ok();
    }

    /** Waits until the run has ended, across restarts of any part. */
    public JsonNode awaitEnd(String runId) {
        var last = new AtomicReference<>(Json.of("no answer yet"));
        Await.until(
                "run " + runId + " has ended",
                PATIENCE,
                () -> {
                    try {
                        Answer answer = get("/api/v1/runs/" + runId);
                        last.set(answer.body());
                        return answer.status() == 200 && hasEnded(answer.body());
                    } catch (UncheckedIOException e) {
                        return false;
                    }
                },
                () -> last.get().toString());
        return last.get();
    }

    private static boolean hasEnded(JsonNode run) {
        return END_STATES.contains(run.path("state").asText());
    }

    /** All steps of a run, over all pages. */
    public List<JsonNode> steps(String runId) {
        var steps = new ArrayList<JsonNode>();
        String token = "";
        do {
            JsonNode page = get("/api/v1/runs/" + runId + "/steps?include_payloads=true&page_size=1000&page_token="
                            + encode(token))
                    .ok();
            page.path("items").forEach(steps::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return steps;
    }

    /** The log text of a run in one stream: {@code stdout}, {@code stderr}, {@code system} or {@code trace}. */
    public String logText(String runId, String stream) {
        var text = new StringBuilder();
        String token = "";
        do {
            JsonNode page = get("/api/v1/runs/" + runId + "/logs?page_size=1000&page_token=" + encode(token))
                    .ok();
            for (JsonNode chunk : page.path("items")) {
                if (chunk.path("stream").asText().equals(stream)) {
                    text.append(chunk.path("text").asText());
                }
            }
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return text.toString();
    }

    public Answer cancel(String runId, String reason) {
        return post("/api/v1/runs/" + runId + ":cancel", Map.of("reason", reason));
    }

    /** Connected workers by name, each with its session, slots and leases. */
    public List<JsonNode> workers() {
        var workers = new ArrayList<JsonNode>();
        get("/api/v1/workers").ok().path("items").forEach(workers::add);
        return workers;
    }

    /** Waits until these workers, and no others, are connected. */
    public void awaitWorkers(String... names) {
        Await.until(
                "the workers are " + List.of(names),
                START_PATIENCE,
                () -> {
                    Answer answer = tryGet("/api/v1/workers");
                    var connected = new ArrayList<String>();
                    answer.body()
                            .path("items")
                            .forEach(worker -> connected.add(worker.path("name").asText()));
                    return answer.status() == 200
                            && connected.containsAll(List.of(names))
                            && connected.size() == names.length;
                },
                () -> tryGet("/api/v1/workers").body().toString());
    }

    public void awaitReady() {
        Await.until(
                "the gateway is ready",
                START_PATIENCE,
                () -> tryGet("/readyz").status() == 200,
                () -> tryGet("/readyz").body().toString());
    }

    /** Opens a stream of server-sent events. */
    public EventStream follow(String path) {
        HttpRequest request = shown(path).header("accept", "text/event-stream").build();
        return EventStream.open(http, request, contract());
    }

    public EventStream followRun(String runId) {
        return follow("/api/v1/runs/" + runId + "/events?include_logs=true");
    }

    private Answer tryGet(String path) {
        try {
            return get(path);
        } catch (UncheckedIOException e) {
            return new Answer(0, HttpHeaders.of(Map.of(), (_, _) -> true), Json.of(e.toString()));
        }
    }

    private HttpRequest.Builder request(String path) {
        return shown(path).timeout(CALL_LIMIT);
    }

    private HttpRequest.Builder shown(String path) {
        var request = HttpRequest.newBuilder(root.resolve(path));
        return token.isEmpty() ? request : request.header("authorization", "Bearer " + token);
    }

    /** What the gateway promises, as far as it has been seen by this client. */
    public synchronized Contract contract() {
        if (contract == null) {
            contract = Contract.of(
                    exchange(request("/api/v1/openapi.yaml").GET().build()).body());
        }
        return contract;
    }

    private Answer send(HttpRequest request) {
        HttpResponse<String> response = exchange(request);
        contract().check(Exchange.of(request, response));
        return new Answer(response.statusCode(), response.headers(), body(response));
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(request.uri() + " gave no answer.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while calling " + request.uri() + ".", e);
        }
    }

    private static JsonNode body(HttpResponse<String> response) {
        boolean json = response.headers().firstValue("content-type").orElse("").contains("json");
        return json && !response.body().isEmpty() ? Json.parse(response.body()) : Json.of(response.body());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
