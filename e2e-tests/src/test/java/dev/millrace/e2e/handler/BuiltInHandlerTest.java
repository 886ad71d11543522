package dev.millrace.e2e.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Steps that run in the worker's built-in handlers, from the flow's definition to its output. */
@ExtendWith(SharedInstallation.class)
final class BuiltInHandlerTest {
    private static final String FLOW = """
            millrace: v1
            name: handlers/order
            inputs:
              url: {type: string}
              allow_private: {type: boolean, default: true}
            steps:
              - id: order
                handler: millrace.http
                input:
                  url: ${{ inputs.url }}
                  method: POST
                  body: {item: tea}
                  allow_private: ${{ inputs.allow_private }}
                retry: {max_retries: 1, delay: 10ms}
            output: ${{ steps.order.result.body.number }}
            """;

    private static final String POLL = """
            millrace: v1
            name: handlers/poll
            inputs:
              url: {type: string}
            steps:
              - id: ready
                http_poll: {url: "${{ inputs.url }}"}
                until: ${{ result.body.number > 8 }}
                every: 50ms
                timeout: 1m
                retry: {max_retries: 1, delay: 10ms}
            output: ${{ steps.ready.result.body.number }}
            """;

    private final AtomicInteger requests = new AtomicInteger();
    private final HttpServer server;

    BuiltInHandlerTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void serve() {
        server.createContext("/", exchange -> {
            try (exchange) {
                int number = requests.incrementAndGet();
                boolean first = number == 1;
                byte[] answer = ("{\"number\": " + (5 + number) + "}").getBytes(UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(first ? 503 : 200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sendsAnHttpRequestAndTriesAgainAfterABusyServer(Api api) {
        JsonNode run = run(api, true);

        assertThat(run.path("output").asInt()).as("output of %s", run).isEqualTo(7);
        assertThat(requests).hasValue(2);
    }

    @Test
    void pollsUntilTheResponseIsAsWanted(Api api) {
        api.deployFlow(POLL, Map.of());
        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "handlers/poll"), "input", Map.of("url", url())));

        assertThat(run.path("output").asInt()).as("output of %s", run).isEqualTo(9);
        assertThat(requests).hasValue(4);
    }

    @Test
    void keepsAwayFromPrivateAddresses(Api api) {
        JsonNode run = run(api, false);

        assertThat(run.path("error").path("name").asText())
                .as("error of %s", run)
                .isEqualTo("AddressNotAllowed");
        assertThat(requests).hasValue(0);
    }

    @Test
    void saysThatNoKafkaBrokerIsThere(Api api) {
        JsonNode run = api.runToEnd(Map.of(
                "target",
                Map.of("handler", "millrace.kafka"),
                "input",
                Map.of("bootstrap_servers", "127.0.0.1:1", "topic", "orders", "value", 1, "timeout", "300ms")));

        assertThat(run.path("error").path("name").asText())
                .as("error of %s", run)
                .isEqualTo("KafkaTimeout");
    }

    private JsonNode run(Api api, boolean allowPrivate) {
        api.deployFlow(FLOW, Map.of());
        return api.runToEnd(Map.of(
                "target",
                Map.of("flow", "handlers/order"),
                "input",
                Map.of("url", url(), "allow_private", allowPrivate)));
    }

    private String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/orders";
    }
}
