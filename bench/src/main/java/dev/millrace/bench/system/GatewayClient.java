package dev.millrace.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Check;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Runs flows over the REST API. */
public final class GatewayClient implements FlowCaller, AutoCloseable {
    private static final int OK = 200;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration LIMIT = Duration.ofSeconds(2 * Installation.WAIT_SECONDS);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI runs;
    private final Optional<String> token;

    private GatewayClient(URI gateway, Optional<String> token) {
        this.token = token;
        this.runs = gateway.resolve("/api/v1/runs?wait=" + Installation.WAIT_SECONDS + "s");
    }

    /** Waits until the gateway answers. Calls show the token, if any. */
    static GatewayClient connect(URI gateway, Optional<String> token) throws InterruptedException {
        GatewayClient client = new GatewayClient(gateway, token);
        Waiting.until("the gateway is ready", START_LIMIT, () -> client.answers(gateway.resolve("/readyz")));
        return client;
    }

    @Override
    public EndedRun call(String flow, String input) throws Exception {
        String body = "{\"target\":{\"flow\":" + JSON.writeValueAsString(flow) + "},\"input\":" + input + "}";
        HttpRequest.Builder request = HttpRequest.newBuilder(runs)
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        token.ifPresent(shown -> request.header("Authorization", "Bearer " + shown));
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        Check.equal("the gateway's status (" + answer.body() + ")", OK, answer.statusCode());
        JsonNode run = JSON.readTree(answer.body());
        return new EndedRun(
                run.path("id").asText(),
                run.path("state").asText().equals("succeeded"),
                run.path("output").toString(),
                run.path("state").asText() + " " + run.path("error"));
    }

    private boolean answers(URI uri) throws Exception {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
        } catch (java.io.IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
