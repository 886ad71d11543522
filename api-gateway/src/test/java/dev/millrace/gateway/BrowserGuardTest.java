package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                .hasValueSatisfying(policy -> assertThat(policy).contains("frame-ancestors 'none'"));
        assertThat(headers.firstValue("access-control-allow-origin")).isEmpty();
        assertThat(headers.firstValue("server")).isEmpty();
    }

    /** Uses a socket, because Java's client does not let callers choose the host. */
    private String statusLineFor(String host) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            var request = "GET /livez HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return String.valueOf(reader.readLine());
        }
    }
}
