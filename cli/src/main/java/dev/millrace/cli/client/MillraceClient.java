package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/** Client of a Millrace gateway over REST. Each failure is a {@link CommandFailure} that says what to do. */
public final class MillraceClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** Longest wait for an answer; gateways give up on a scheduler long before. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    /** Longest silence on an event stream; gateways send something three times as often. */
    private static final Duration STREAM_SILENCE_MAX = Duration.ofSeconds(14);

    /** The workspace that the short addresses of a gateway mean. */
    public static final String WORKSPACE_DEFAULT = "default";

    private static final int PAGE_SIZE = 1000;
    private static final int STATUS_OK_MIN = 200;
    private static final int STATUS_OK_MAX = 299;

    private final URI server;
    private final String workspace;
    private final Duration answerMax;
    private final HttpClient http;

    /** Client of the workspace {@link #WORKSPACE_DEFAULT}. */
    public MillraceClient(URI server) {
        this(server, WORKSPACE_DEFAULT, ANSWER_MAX);
    }

    public MillraceClient(URI server, String workspace) {
        this(server, workspace, ANSWER_MAX);
    }

    /** @param answerMax longest wait for the beginning of an answer */
    MillraceClient(URI server, String workspace, Duration answerMax) {
        this.server = server;
        this.workspace = workspace;
        this.answerMax = answerMax;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        if ("http".equalsIgnoreCase(server.getScheme())) {
            // Redirects are not followed, so the connection stays plain HTTP. Java would read the machine's
            // certificates in vain, which takes longer than the call.
            builder.sslContext(trustingNobody());
        }
        this.http = builder.build();
    }

    public URI server() {
        return server;
    }

    public String workspace() {
        return workspace;
    }

    public JsonNode get(ApiPath path) {
        return json(request(path).GET().build());
    }

    public JsonNode post(ApiPath path, JsonNode body) {
        return json(posting(path, body).build());
    }

    public JsonNode delete(ApiPath path) {
        return json(request(path).DELETE().build());
    }

    /** Posts with an {@code Idempotency-Key}: a repeated call with the same key and body has no further effect. */
    public JsonNode post(ApiPath path, JsonNode body, String requestId) {
        return json(posting(path, body).header("Idempotency-Key", requestId).build());
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

    /** Opens a stream of server-sent events; the caller closes it. */
    public SseReader stream(ApiPath path) {
        HttpResponse<InputStream> response =
                send(request(path).header("Accept", "text/event-stream").GET().build());
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), text(response));
        }
        return new SseReader(new WatchedStream(response.body(), STREAM_SILENCE_MAX));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private static SSLContext trustingNobody() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], new TrustManager[0], null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no TLS.", e);
        }
    }

    private HttpRequest.Builder request(ApiPath path) {
        String base = server.toString().replaceAll("/+$", "");
        boolean isShort = path.isShared() || workspace.equals(WORKSPACE_DEFAULT);
        String api = isShort ? "/api/v1" : "/api/v1/workspaces/" + workspace;
        return HttpRequest.newBuilder(URI.create(base + api + path.text()))
                .timeout(answerMax)
                .header("User-Agent", "millrace-cli");
    }

    private HttpRequest.Builder posting(ApiPath path, JsonNode body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.compact(body), StandardCharsets.UTF_8));
    }

    private JsonNode json(HttpRequest request) {
        HttpResponse<InputStream> response = send(request);
        String body = text(response);
        if (!isOk(response)) {
            throw Problem.of(response.statusCode(), body);
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
        if (cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException)) {
            return new CommandFailure(
                    ExitCode.UNREACHABLE,
                    "The server at " + server + " has not answered for " + answerMax.toSeconds()
                            + " s: it hangs, or the network drops its traffic. Check the server and try again.",
                    cause);
        }
        return new CommandFailure(ExitCode.UNREACHABLE, whyUnreachable(cause), cause);
    }

    private String whyUnreachable(IOException cause) {
        String another = " Name the gateway's address with --server or MILLRACE_SERVER.";
        if (cause instanceof SSLException) {
            return "The TLS handshake with " + server + " failed (" + cause.getMessage()
                    + "). Check whether the address must begin with http: or https:, and whether this"
                    + " machine trusts the server's certificate.";
        }
        if (isCausedBy(cause, UnresolvedAddressException.class)) {
            return "The host name \"" + server.getHost() + "\" cannot be resolved." + another;
        }
        if (cause instanceof HttpConnectTimeoutException) {
            return "Cannot connect to " + server + ": the machine is down, a firewall blocks the connection,"
                    + " or the server there does not speak " + server.getScheme() + "." + another;
        }
        if (!(cause instanceof ConnectException)) {
            return "The server at " + server + " broke the connection or is not a Millrace gateway ("
                    + cause.getMessage() + ")." + another;
        }
        return "No Millrace server answers at " + server + ". Start one with: ./millrace dev"
                + " (or name another with --server or MILLRACE_SERVER).";
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }

    private static boolean isOk(HttpResponse<?> response) {
        return response.statusCode() >= STATUS_OK_MIN && response.statusCode() <= STATUS_OK_MAX;
    }
}
