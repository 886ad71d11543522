package dev.millrace.scheduler.secret.vault;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.scheduler.config.VaultConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Client of the HTTP API of Vault, which OpenBao has as well. Blocking and thread-safe. Each failure to get an answer is
 * an {@link ErrorCode#SECRET_STORE_UNAVAILABLE}.
 */
public final class VaultClient implements AutoCloseable {
    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(3);
    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_FOUND = 404;
    private static final int ERROR_CHARS_MAX = 300;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final VaultConfig config;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CONNECT_WAIT_MAX)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    public VaultClient(VaultConfig config) {
        this.config = config;
    }

    VaultConfig config() {
        return config;
    }

    /** Reads; empty if nothing is there. */
    Optional<JsonNode> get(String path) {
        return call("GET", path, BodyPublishers.noBody());
    }

    /** Writes or computes. */
    JsonNode post(String path, Map<String, String> fields) {
        try {
            BodyPublisher body = BodyPublishers.ofByteArray(JSON.writeValueAsBytes(fields));
            return call("POST", path, body).orElseThrow(() -> unavailable("There is no " + path + " at the server."));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("texts are always JSON", impossible);
        }
    }

    private Optional<JsonNode> call(String method, String path, BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(config.address().resolve("/v1/" + path))
                .timeout(ANSWER_WAIT_MAX)
                .header("X-Vault-Token", token())
                .header("X-Vault-Request", "true")
                .method(method, body);
        if (!config.namespace().isEmpty()) {
            request.header("X-Vault-Namespace", config.namespace());
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            return switch (response.statusCode()) {
                case OK -> Optional.of(JSON.readTree(response.body()));
                case NO_CONTENT, NOT_FOUND -> Optional.empty();
                default ->
                    throw unavailable(
                            method + " " + path + " got the status " + response.statusCode() + " " + errors(response));
            };
        } catch (IOException failure) {
            throw unavailable(failure.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unavailable("The request was interrupted.");
        }
    }

    /** What the server says. It never contains a value, because a refusal has none. */
    private static String errors(HttpResponse<byte[]> response) {
        try {
            String errors = JSON.readTree(response.body()).path("errors").toString();
            return errors.length() <= ERROR_CHARS_MAX ? errors : errors.substring(0, ERROR_CHARS_MAX) + "…";
        } catch (IOException notJson) {
            return "";
        }
    }

    private String token() {
        try {
            return Files.readString(config.tokenFile()).strip();
        } catch (IOException unreadable) {
            throw unavailable("The token cannot be read from " + config.tokenFile() + ": " + unreadable);
        }
    }

    private MillraceException unavailable(String reason) {
        return new MillraceException(
                ErrorCode.SECRET_STORE_UNAVAILABLE,
                "The store of secrets at " + config.address() + " does not answer as expected: " + reason);
    }

    @Override
    public void close() {
        http.close();
    }
}
