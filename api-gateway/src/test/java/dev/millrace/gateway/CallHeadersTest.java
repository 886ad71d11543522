package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import io.grpc.Metadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scheduler learns of the callers of the gateway. */
class CallHeadersTest extends GatewayTest {

    private static final String TOKEN = "mru_abc";
    private static final String HELLO = "{\"target\":{\"script\":\"hello.py\"}}";

    @Test
    void holdTheTokenOfTheCaller() {
        send(request("/api/v1/runs").header("authorization", "bearer " + TOKEN));

        assertThat(sent("authorization")).isEqualTo("Bearer " + TOKEN);
    }

    @Test
    void holdTheTokenOfTheCallerOnStreams() throws IOException {
        var run = json(post("/api/v1/runs", HELLO)).path("id").asText();
        scheduler.headers.clear();

        open("/api/v1/runs/" + run + "/logs?follow=true", "authorization", "Bearer " + TOKEN)
                .body()
                .close();

        assertThat(scheduler.headers).isNotEmpty();
        assertThat(scheduler.headers)
                .allSatisfy(
                        headers -> assertThat(value(headers, "authorization")).isEqualTo("Bearer " + TOKEN));
    }

    @Test
    void holdTheTokenOfABrowser() {
        send(request("/api/v1/runs").header("cookie", "a=b; millrace-session=mrc_1"));

        assertThat(sent("authorization")).isEqualTo("Bearer mrc_1");
    }

    @Test
    void holdNoTokenIfTheCallerShowsNone() {
        get("/api/v1/runs");

        assertThat(sent("authorization")).isNull();
        assertThat(sent("millrace-gateway-authorization")).isNull();
    }

    @Test
    void neverHoldWhatTheCallerSaysOfItself() {
        send(request("/api/v1/runs")
                .header("x-forwarded-for", "203.0.113.9")
                .header("millrace-origin", "local")
                .header("millrace-client-address", "203.0.113.9")
                .header("millrace-gateway-authorization", "Bearer mrg_1"));

        assertThat(sent("millrace-origin")).isEqualTo("remote");
        assertThat(sent("millrace-client-address")).isEqualTo("127.0.0.1");
        assertThat(sent("millrace-gateway-authorization")).isNull();
    }

    @Test
    void tellCallersOnTheOwnMachineFromOthers() {
        get("/api/v1/runs");
        assertThat(sent("millrace-origin")).isEqualTo("local");

        restart(Map.of("millrace.http.host", "0.0.0.0", "millrace.http.allow-plaintext", "true"));
        get("/api/v1/runs");
        assertThat(sent("millrace-origin")).isEqualTo("remote");
    }

    @Test
    void holdTheAddressThatATrustedProxyNames() {
        restart(Map.of("millrace.http.trusted-proxies", "127.0.0.1"));

        send(request("/api/v1/runs").header("x-forwarded-for", "1.2.3.4, 203.0.113.9"));

        assertThat(sent("millrace-client-address")).isEqualTo("203.0.113.9");
        assertThat(sent("millrace-origin")).isEqualTo("remote");
    }

    @Test
    void holdTheTokenOfTheGateway(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("token"), "mrg_1\n");
        restart(Map.of("millrace.gateway.token-file", file.toString()));

        get("/api/v1/runs");

        assertThat(sent("millrace-gateway-authorization")).isEqualTo("Bearer mrg_1");
        assertThat(sent("authorization")).isNull();
    }

    @Test
    void needAFileThatHoldsOneToken(@TempDir Path folder) throws IOException {
        var missing = folder.resolve("missing");
        var two = Files.writeString(folder.resolve("two"), "mrg_1\nmrg_2\n");

        assertThatThrownBy(() -> start(Map.of("millrace.gateway.token-file", missing.toString())))
                .hasMessageContaining("millrace.gateway.token-file: " + missing);
        assertThatThrownBy(() -> start(Map.of("millrace.gateway.token-file", two.toString())))
                .hasMessageContaining("one token")
                .hasMessageNotContaining("mrg_1");
    }

    @Test
    void refuseAHeaderThatIsNoToken() {
        var refused = send(request("/api/v1/runs").header("authorization", "Basic YWRhOnB3"));

        problem(refused, 401, "unauthenticated");
        assertThat(refused.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"millrace\"");
        assertThat(scheduler.headers).isEmpty();
    }

    @Test
    void tellCallersHowToSayWhoTheyAre() {
        scheduler.canned.refuse(
                PrincipalServiceGrpc.getWhoAmIMethod(),
                Refusals.of(Code.UNAUTHENTICATED, "UNAUTHENTICATED", "Send a token."));

        var refused = get("/api/v1/whoami");

        problem(refused, 401, "unauthenticated");
        assertThat(refused.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"millrace\"");
    }

    @Test
    void tellCallersWhenToTryAgain() {
        scheduler.canned.refuse(
                PrincipalServiceGrpc.getWhoAmIMethod(),
                Refusals.of(
                        Code.RESOURCE_EXHAUSTED,
                        "OVERLOADED",
                        "There were 10 unknown tokens.",
                        RetryInfo.newBuilder()
                                .setRetryDelay(Duration.newBuilder().setSeconds(60))
                                .build()));

        var refused = get("/api/v1/whoami");

        problem(refused, 429, "overloaded");
        assertThat(refused.headers().firstValue("retry-after")).hasValue("60");
    }

    private @Nullable String sent(String name) {
        return value(scheduler.headers.getLast(), name);
    }

    private static @Nullable String value(Metadata headers, String name) {
        return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }
}
