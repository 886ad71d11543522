package dev.millrace.gateway.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.contract.CheckedEvents;
import dev.millrace.contract.Contract;
import dev.millrace.contract.Exchange;
import dev.millrace.gateway.Gateway;
import dev.millrace.gateway.GatewayConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Real gateway in front of a scheduler in memory; each test has its own. */
@Timeout(180)
public abstract class GatewayTest {

    protected static final Contract CONTRACT = Contract.of(document());

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    protected final FakeScheduler scheduler = FakeScheduler.start();
    protected Gateway gateway = start(Map.of());
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void checkThatItListens() {
        assertThat(gateway.port()).isPositive();
    }

    @AfterEach
    void stop() {
        // Not close(): it would wait for event streams that a test left open.
        client.shutdownNow();
        // Runs in the background: Netty's acceptor takes two seconds to end, and each test has its own ports.
        Thread.startVirtualThread(gateway::close);
        scheduler.close();
    }

    /** Starts a gateway for the scheduler of this test. */
    protected final Gateway start(Map<String, String> settings) {
        var values = new java.util.HashMap<>(settings);
        values.put("millrace.http.port", "0");
        values.put("millrace.scheduler.target", scheduler.target());
        return Gateway.start(GatewayConfig.of(values));
    }

    /** Replaces the gateway by one with these settings. */
    protected final void restart(Map<String, String> settings) {
        Thread.startVirtualThread(gateway::close);
        gateway = start(settings);
    }

    protected final URI uri(String path) {
        return URI.create("http://127.0.0.1:" + gateway.port() + path);
    }

    protected final HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(TIMEOUT);
    }

    protected final HttpResponse<String> get(String path) {
        return send(request(path));
    }

    protected final HttpResponse<String> delete(String path) {
        return send(request(path).DELETE());
    }

    protected final HttpResponse<String> put(String path, String json) {
        return send(request(path).PUT(BodyPublishers.ofString(json)).header("content-type", "application/json"));
    }

    protected final HttpResponse<String> patch(String path, String json) {
        return send(request(path)
                .method("PATCH", BodyPublishers.ofString(json))
                .header("content-type", "application/json"));
    }

    protected final HttpResponse<String> post(String path, String json, String... headers) {
        var request = request(path).POST(BodyPublishers.ofString(json)).header("content-type", "application/json");
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** Sends a request, and checks it and its answer against the OpenAPI document. */
    protected final HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            var sent = request.build();
            var response = client.send(sent, BodyHandlers.ofString());
            CONTRACT.check(Exchange.of(sent, response));
            return response;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("The request failed.", e);
        }
    }

    /** Opens an event stream, which the caller reads at its own speed; each event is checked as it is read. */
    protected final HttpResponse<InputStream> open(String path, String... headers) {
        var request = headers.length == 0 ? request(path) : request(path).headers(headers);
        try {
            return client.send(request.build(), CheckedEvents.handler(CONTRACT, uri(path)));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("The request failed.", e);
        }
    }

    private static String document() {
        try (var document = requireNonNull(Gateway.class.getResourceAsStream("docs/openapi.yaml"))) {
            return new String(document.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected final JsonNode json(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError("Not JSON: " + response.body(), e);
        }
    }

    /** Checks that the answer is a problem document with this status and code, and returns it. */
    protected final JsonNode problem(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        var problem = json(response);
        assertThat(problem.path("code").asText()).isEqualTo(code);
        assertThat(problem.path("type").asText()).isEqualTo("urn:millrace:problem:" + code);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("detail").asText()).isNotEmpty();
        assertThat(problem.path("errors").isArray()).isTrue();
        assertThat(problem.path("trace_id").asText()).matches("[0-9a-f]{32}");
        return problem;
    }
}
