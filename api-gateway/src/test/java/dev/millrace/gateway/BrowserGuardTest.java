package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import io.grpc.Metadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserGuardTest extends GatewayTest {

    private static final String HELLO = "{\"target\":{\"script\":\"hello.py\"}}";

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1"})
    void refusesChangesFromPagesOfOtherSites(String origin) {
        problem(post("/api/v1/runs", HELLO, "Origin", origin), 403, "cross_site_request");
    }

    @Test
    void refusesChangesThatTheBrowserCallsCrossSite() {
        problem(post("/api/v1/runs", HELLO, "Sec-Fetch-Site", "cross-site"), 403, "cross_site_request");
    }

    @Test
    void takesChangesFromItsOwnPages() {
        var response = post("/api/v1/runs", HELLO, "Origin", "http://127.0.0.1:" + gateway.port());

        assertThat(response.statusCode()).isEqualTo(202);
    }

    /** Credential, Origin and Sec-Fetch-Site of a request that changes something, and whether it may. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, -, true",
                "-, own, -, true",
                "-, -, same-origin, true",
                "-, -, none, true",
                "-, -, same-site, false",
                "-, -, cross-site, false",
                "-, tls, -, false",
                "-, evil, -, false",
                "-, null, -, false",
                "cookie, own, -, true",
                "cookie, -, -, false",
                "cookie, -, same-origin, false",
                "cookie, tls, same-origin, false",
                "cookie, evil, -, false",
                "cookie, null, -, false",
                "header, -, -, true",
                "header, evil, cross-site, true",
                "both, evil, cross-site, true",
            })
    void takesChangesByBrowsersFromItsExactOriginOnly(
            @Nullable String credential, @Nullable String origin, @Nullable String site, boolean isTaken) {
        var request =
                request("/api/v1/runs").POST(BodyPublishers.ofString(HELLO)).header("content-type", "application/json");
        if (credential != null && !credential.equals("cookie")) {
            request.header("authorization", "Bearer mru_1");
        }
        if (credential != null && !credential.equals("header")) {
            request.header("cookie", "millrace-session=mrc_1");
        }
        if (origin != null) {
            request.header("origin", origin(origin));
        }
        if (site != null) {
            request.header("sec-fetch-site", site);
        }

        var response = send(request);

        if (isTaken) {
            assertThat(response.statusCode()).isEqualTo(202);
        } else {
            problem(response, 403, "cross_site_request");
            assertThat(scheduler.requests).isEmpty();
        }
    }

    @Test
    void letsBrowsersReadByCookieFromAnywhere() {
        assertThat(send(request("/api/v1/runs").header("cookie", "millrace-session=mrc_1"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void knowsItsOriginBehindAProxyThatEndsTls() throws IOException {
        restart(Map.of("millrace.gateway.public-url", "https://millrace.example"));

        assertThat(statusLineFor("POST", "millrace.example", "Origin: https://millrace.example"))
                .contains("415");
        assertThat(statusLineFor("POST", "millrace.example", "Origin: http://millrace.example"))
                .contains("403");
        assertThat(answerFor("GET", "millrace.example", "X: y"))
                .contains("strict-transport-security: max-age=63072000");
        assertThat(answerFor("GET", "localhost", "X: y")).doesNotContain("strict-transport-security");
        assertThat(statusLineFor("evil.example")).contains("421");
    }

    @Test
    void takesTheCookieOfTheSchemeThatTheBrowserSpeaks() throws IOException {
        restart(Map.of("millrace.gateway.public-url", "https://millrace.example"));

        statusLineFor("GET", "millrace.example", "Cookie: millrace-session=mrc_1");
        assertThat(shownToken()).isNull();
        statusLineFor("GET", "millrace.example", "Cookie: __Host-millrace-session=mrc_1");
        assertThat(shownToken()).isEqualTo("Bearer mrc_1");
    }

    @Test
    void answersOnlyUnderNamesThatNobodyCanRebind() throws IOException {
        assertThat(statusLineFor("evil.example")).contains("421");
        assertThat(statusLineFor("localhost:8400")).contains("200");
        assertThat(statusLineFor("[::1]:8400")).contains("200");
        assertThat(statusLineFor("10.1.2.3")).contains("200");
    }

    @Test
    void answersUnderNamesThatAreConfigured() throws IOException {
        restart(Map.of("millrace.http.allowed-hosts", "other, gateway.internal"));

        assertThat(statusLineFor("Gateway.internal:80")).contains("200");
        assertThat(statusLineFor("evil.example")).contains("421");
    }

    @Test
    void tellsBrowsersToBeStrict() {
        var headers = get("/").headers();

        assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(headers.firstValue("content-security-policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe"));
        assertThat(headers.firstValue("cross-origin-opener-policy")).hasValue("same-origin");
        assertThat(headers.firstValue("cross-origin-resource-policy")).hasValue("same-origin");
        assertThat(headers.firstValue("x-frame-options")).hasValue("DENY");
        assertThat(headers.firstValue("strict-transport-security")).isEmpty();
        assertThat(headers.firstValue("access-control-allow-origin")).isEmpty();
        assertThat(headers.firstValue("server")).isEmpty();
    }

    private String origin(String word) {
        return switch (word) {
            case "own" -> "http://127.0.0.1:" + gateway.port();
            case "tls" -> "https://127.0.0.1:" + gateway.port();
            case "evil" -> "http://evil.example";
            default -> word;
        };
    }

    private @Nullable String shownToken() {
        return scheduler.headers.getLast().get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
    }

    private String statusLineFor(String host) throws IOException {
        return statusLineFor("GET", host, "Accept: */*");
    }

    private String statusLineFor(String method, String host, String header) throws IOException {
        return answerFor(method, host, header).lines().findFirst().orElseThrow();
    }

    /**
     * Status and headers. Uses a socket, because Java's client does not let callers choose the host. The server lets
     * callers close first, for some seconds, so the end of the stream is not waited for.
     */
    private String answerFor(String method, String host, String header) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            var body = method.equals("POST") ? "Content-Length: 2\r\n\r\n{}" : "\r\n";
            var request = method + " /api/v1/runs HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + header
                    + "\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .lines()
                    .takeWhile(line -> !line.isEmpty())
                    .collect(Collectors.joining("\n"));
        }
    }
}
