package dev.millrace.scheduler.identity.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The administrator of a Keycloak, who changes its realm {@code millrace}. */
final class KeycloakAdmin {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    KeycloakAdmin(String address) {
        this.address = address;
    }

    /** Adds a key that signs from now on. The former key stays, as providers do it. */
    void rotateKeys() throws IOException, InterruptedException {
        send("POST", "/components", """
                {"name": "rotated", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider",
                 "config": {"priority": ["1000"], "enabled": ["true"], "active": ["true"], "algorithm": ["RS256"]}}""");
    }

    void disable(String user) throws IOException, InterruptedException {
        String id = send("GET", "/users?exact=true&username=" + user, "")
                .path(0)
                .path("id")
                .asText();
        send("PUT", "/users/" + id, "{\"enabled\": false}");
    }

    /** A token of a realm. */
    String token(String realm, Map<String, String> fields) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                form(address + "/realms/" + realm + "/protocol/openid-connect/token", fields)
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).path("access_token").asText();
    }

    static HttpRequest.Builder form(String address, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return HttpRequest.newBuilder(URI.create(address))
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    private JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
        String administrator = token(
                "master",
                Map.of(
                        "grant_type",
                        "password",
                        "client_id",
                        "admin-cli",
                        "username",
                        "admin",
                        "password",
                        "password-of-admin"));
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(address + "/admin/realms/millrace" + path))
                        .header("authorization", "Bearer " + administrator)
                        .header("content-type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return JSON.readTree(answer.body());
    }
}
