package dev.millrace.e2e.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls of webhooks through a real gateway: by the scheme of each vendor, repeated, forged and by strangers. */
@ExtendWith(SharedInstallation.class)
final class WebhookTest {
    private static final String SECRET = "a secret of the shop";
    private static final String ECHO = "def main(**event):\n    return event\n";
    private static final String BODY = "{\"id\":\"evt_1\",\"order\":7}";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Api api;
    private final URI gateway;

    WebhookTest(Installation installation) {
        this.api = installation.api();
        this.gateway = installation.cluster().gatewayUrl();
    }

    @BeforeEach
    void deploy() {
        deploy(Map.of("type", "object"));
        api.write("PUT", "/api/v1/secrets/hooks/old", Map.of("value", "a former secret"))
                .ok();
        api.write("PUT", "/api/v1/secrets/hooks/key", Map.of("value", SECRET)).ok();
    }

    @Test
    void startsOneRunForEachMessageOfEachVendor() {
        long now = Instant.now().getEpochSecond();
        Map<String, List<String>> headers = new HashMap<>();
        headers.put(
                "standard",
                List.of(
                        "webhook-id",
                        "msg_1",
                        "webhook-timestamp",
                        "" + now,
                        "webhook-signature",
                        "v1," + Base64.getEncoder().encodeToString(hmac("msg_1." + now + "." + BODY))));
        headers.put("github", List.of("x-hub-signature-256", "sha256=" + hex(BODY), "x-github-delivery", "d1"));
        headers.put("stripe", List.of("stripe-signature", "t=" + now + ",v1=" + hex(now + "." + BODY)));
        headers.put(
                "slack",
                List.of(
                        "x-slack-request-timestamp",
                        "" + now,
                        "x-slack-signature",
                        "v0=" + hex("v0:" + now + ":" + BODY)));
        headers.forEach((scheme, signed) -> {
            apply(scheme, Map.of("scheme", scheme, "secrets", List.of("hooks/old", "hooks/key")));

            JsonNode first = accepted(call("hooks/" + scheme, BODY, signed));
            JsonNode again = accepted(call("hooks/" + scheme, BODY, signed));

            assertThat(again).as("%s, repeated", scheme).isEqualTo(first);
            JsonNode run = api.awaitEnd(first.path("run_id").asText());
            assertThat(run.path("output")).as(scheme).isEqualTo(Json.parse(BODY));
            assertThat(call("hooks/" + scheme, BODY.replace('7', '8'), signed).statusCode())
                    .as("%s, with another body", scheme)
                    .isEqualTo(401);
        });
    }

    @Test
    void triesARefusedMessageAgain() {
        apply("mended", Map.of("scheme", "github", "secrets", List.of("hooks/key")));
        List<String> signed = List.of("x-hub-signature-256", "sha256=" + hex(BODY), "x-github-delivery", "d1");
        deploy(Map.of("type", "object", "properties", Map.of("order", Map.of("type", "string"))));

        assertThat(call("hooks/mended", BODY, signed).statusCode()).isEqualTo(422);
        deploy(Map.of("type", "object"));
        JsonNode accepted = accepted(call("hooks/mended", BODY, signed));

        assertThat(accepted(call("hooks/mended", BODY, signed))).isEqualTo(accepted);
        JsonNode run = api.awaitEnd(accepted.path("run_id").asText());
        assertThat(run.path("trigger")).isEqualTo(Json.parse("{\"kind\":\"webhook\",\"path\":\"hooks/mended\"}"));
        assertThat(api.get("/api/v1/trigger-events/webhook/hooks/mended").ok().path("items"))
                .hasSize(1);
    }

    @Test
    void answersWithTheResultAndPassesPartsOn() {
        apply(
                "sync",
                Map.of(
                        "scheme",
                        "basic",
                        "user",
                        "ada",
                        "secrets",
                        List.of("hooks/key"),
                        "wait",
                        "60s",
                        "success_status",
                        201,
                        "parts",
                        List.of("body", "query", "headers", "method")));
        String basic = "Basic " + Base64.getEncoder().encodeToString(("ada:" + SECRET).getBytes(UTF_8));

        HttpResponse<String> answer = call(
                "hooks/sync?a=1",
                "x=1&y=2",
                List.of("authorization", basic, "content-type", "application/x-www-form-urlencoded"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        JsonNode result = Json.parse(answer.body());
        assertThat(result.path("body")).isEqualTo(Json.parse("{\"x\":\"1\",\"y\":\"2\"}"));
        assertThat(result.path("query").path("a").asText()).isEqualTo("1");
        assertThat(result.path("method").asText()).isEqualTo("POST");
        assertThat(result.path("headers").has("authorization")).isFalse();
        assertThat(answer.headers().firstValue("millrace-run-id")).isPresent();
    }

    @Test
    void tellsStrangersNothing() {
        apply("guarded", Map.of("scheme", "token", "secrets", List.of("hooks/key")));
        List<String> wrong = List.of("authorization", "Bearer not the secret");

        HttpResponse<String> known = call("hooks/guarded", BODY, wrong);
        HttpResponse<String> unknown = call("hooks/none", BODY, wrong);
        HttpResponse<String> elsewhere = callAt("/hooks/nowhere/hooks/guarded", BODY, wrong);

        assertThat(known.statusCode()).isEqualTo(401);
        assertThat(List.of(withoutTrace(unknown), withoutTrace(elsewhere))).containsOnly(withoutTrace(known));
        assertThat(api.get("/api/v1/triggers/webhook/hooks/guarded").ok().toString())
                .doesNotContain(SECRET);
        JsonNode history =
                api.get("/api/v1/trigger-events/webhook/hooks/guarded").ok().path("items");
        assertThat(history.path(0).path("state").asText()).isEqualTo("refused");
    }

    @Test
    void startsNothingWhilePaused() {
        apply("paused", Map.of("scheme", "token", "secrets", List.of("hooks/key")));
        List<String> right = List.of("authorization", "Bearer " + SECRET);
        api.write("PATCH", "/api/v1/triggers/webhook/hooks/paused", Map.of("paused", true))
                .ok();

        assertThat(call("hooks/paused", BODY, right).statusCode()).isEqualTo(503);
        api.write("PATCH", "/api/v1/triggers/webhook/hooks/paused", Map.of("paused", false))
                .ok();
        assertThat(call("hooks/paused", "{", right).statusCode()).isEqualTo(400);
        assertThat(call("hooks/paused", BODY, right).statusCode()).isEqualTo(202);
    }

    private void deploy(Map<String, Object> schema) {
        api.write("POST", "/api/v1/scripts", Map.of("path", "hooks/echo.py", "content", ECHO, "input_schema", schema))
                .ok();
    }

    private void apply(String name, Map<String, Object> webhook) {
        api.write(
                        "PUT",
                        "/api/v1/triggers/webhook/hooks/" + name,
                        Map.of("run", Map.of("target", Map.of("script", "hooks/echo.py")), "webhook", webhook))
                .ok();
    }

    private static JsonNode accepted(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return Json.parse(answer.body());
    }

    private static String withoutTrace(HttpResponse<String> answer) {
        return answer.statusCode() + Json.parse(answer.body()).path("detail").asText();
    }

    private HttpResponse<String> call(String path, String body, List<String> headers) {
        return callAt("/hooks/default/" + path, body, headers);
    }

    private HttpResponse<String> callAt(String path, String body, List<String> headers) {
        var all = new ArrayList<>(headers);
        if (!headers.contains("content-type")) {
            all.addAll(List.of("content-type", "application/json"));
        }
        try {
            return http.send(
                    HttpRequest.newBuilder(gateway.resolve(path))
                            .headers(all.toArray(String[]::new))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String hex(String message) {
        return HexFormat.of().formatHex(hmac(message));
    }

    private static byte[] hmac(String message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
            return mac.doFinal(message.getBytes(UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
