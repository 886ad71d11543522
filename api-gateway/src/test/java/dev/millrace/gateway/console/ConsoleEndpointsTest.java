package dev.millrace.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class ConsoleEndpointsTest extends GatewayTest {

    private static final Pattern REFERENCE = Pattern.compile("(?:src|href|content)=\"(\\.{1,2}/[^\"]*)\"");
    private static final Pattern SCRIPT = Pattern.compile("src=\"\\./(assets/[^\"]+)\"");
    private static final int FIRST_LOAD_BYTES_MAX = 400_000;

    @Test
    void servesTheSameDocumentToAllPagesWithTheWayUp() {
        assertThat(references("/")).isNotEmpty().allMatch(reference -> reference.startsWith("./"));
        assertThat(references("/runs?state=failed&made_up=%2F")).allMatch(reference -> reference.startsWith("./"));
        assertThat(references("/runs/019a")).isNotEmpty().allMatch(reference -> reference.matches("\\.\\./[^.]*.*"));
        assertThat(references("/flows/a/b")).isNotEmpty().allMatch(reference -> reference.startsWith("../../"));
    }

    @Test
    void letsBrowsersKeepFilesAndAskForTheDocument() {
        var document = fetch("/runs");
        var tag = document.headers().firstValue("etag").orElseThrow();

        assertThat(document.headers().firstValue("cache-control")).hasValue("no-cache");
        assertThat(fetch("/runs", "if-none-match", tag).statusCode()).isEqualTo(304);
        assertThat(fetch("/" + script()).headers().firstValue("cache-control").orElseThrow())
                .contains("immutable");
    }

    @Test
    void compressesFilesForThoseWhoCanReadThat() throws IOException {
        var plain = fetch("/" + script()).body();

        var compressed = fetch("/" + script(), "accept-encoding", "gzip");

        assertThat(compressed.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
                .isEqualTo(plain);
        assertThat(compressed.body().length).isLessThan(FIRST_LOAD_BYTES_MAX);
    }

    @Test
    void refusesFilesThatAreNotPartOfTheConsole() {
        problem(get("/assets/other.js"), 404, "no_such_address");
        problem(get("/assets/..%5Cindex.html"), 400, "bad_request");
        problem(get("/assets/%2e%2e%2findex.html"), 400, "bad_request");
        problem(get("/nowhere"), 404, "no_such_address");
    }

    @Test
    void showsBrowsersAPageWhereThereIsNone() {
        var stray = fetch("/nowhere/at/all", "accept", "text/html,application/xhtml+xml");

        assertThat(stray.statusCode()).isEqualTo(404);
        assertThat(stray.headers().firstValue("content-type").orElseThrow()).startsWith("text/html");
        assertThat(new String(stray.body(), StandardCharsets.UTF_8)).contains("=\"../../assets/");
        for (String path : List.of("/api/v1/nowhere", "/api/v2", "/assets/other.js", "/hooks/nowhere/at/all")) {
            assertThat(fetch(path, "accept", "text/html").headers().firstValue("content-type"))
                    .as(path)
                    .hasValue("application/problem+json");
        }
    }

    private String text(String path) {
        return new String(fetch(path).body(), StandardCharsets.UTF_8);
    }

    /** Fetches a page or file as it is sent; the OpenAPI document does not describe it. */
    private HttpResponse<byte[]> fetch(String path, String... headers) {
        var request = headers.length == 0 ? request(path) : request(path).headers(headers);
        // Java's client loses its place in a large answer that follows an upgrade to HTTP/2 at once.
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("The request failed.", e);
        }
    }

    private List<String> references(String path) {
        return REFERENCE
                .matcher(text(path))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private String script() {
        return SCRIPT.matcher(text("/"))
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow();
    }
}
