package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Attack 24: pages of other sites, names that are rebound to this machine, and callers behind a proxy. Callers of the own
 * machine need no token; whoever might be somebody else does.
 */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class LocalCallerTest {
    private static final String CHANGE = "POST /api/v1/runs";
    private static final String BODY = "{\"target\":{\"handler\":\"nobody-offers-this\"},\"start_within\":\"1s\"}";

    /** Method and address, host, another header, and the status of the answer; HOST stands for the gateway's own. */
    @ParameterizedTest
    @Tag("attack-24")
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /api/v1/whoami | HOST              | Accept: */*                                       | 200",
                "GET /api/v1/whoami | localhost:1234    | Accept: */*                                       | 200",
                "GET /api/v1/whoami | evil.example      | Accept: */*                                       | 421",
                "GET /api/v1/whoami | localhost.evil.example | Accept: */*                                  | 421",
                "GET /api/v1/whoami | 10.1.2.3          | Accept: */*                                       | 401",
                "GET /api/v1/whoami | HOST              | X-Forwarded-For: 127.0.0.1                        | 401",
                "GET /api/v1/whoami | HOST              | X-Forwarded-Host: localhost                       | 401",
                "GET /api/v1/whoami | HOST              | Forwarded: for=127.0.0.1                          | 401",
                "GET /api/v1/whoami | HOST              | Via: 1.1 proxy                                    | 401",
                "GET /api/v1/whoami | HOST              | X-Real-IP: 127.0.0.1                              | 401",
                "GET /api/v1/whoami | HOST              | Authorization: Basic YWRhOnB3                     | 401",
                "GET /api/v1/whoami | HOST              | Authorization: Bearer nonsense                    | 401",
                "GET /api/v1/whoami | HOST              | Cookie: millrace-session=nonsense                 | 401",
                "GET /api/v1/whoami | HOST              | Origin: http://evil.example                       | 200",
                "POST /api/v1/runs  | HOST              | Accept: */*                                       | 202",
                "POST /api/v1/runs  | HOST              | Origin: http://HOST                               | 202",
                "POST /api/v1/runs  | HOST              | Origin: https://HOST                              | 403",
                "POST /api/v1/runs  | HOST              | Origin: http://evil.example                       | 403",
                "POST /api/v1/runs  | HOST              | Origin: null                                      | 403",
                "POST /api/v1/runs  | HOST              | Sec-Fetch-Site: cross-site                        | 403",
                "POST /api/v1/runs  | HOST              | Sec-Fetch-Site: same-site                         | 403",
                "POST /api/v1/runs  | HOST              | Cookie: millrace-session=nonsense                 | 403",
                "POST /api/v1/runs  | evil.example      | Origin: http://evil.example                       | 421",
                "POST /api/v1/runs  | HOST              | Via: 1.1 proxy                                    | 401",
            })
    void isToldFromOthers(String address, String host, String header, int status, Installation installation)
            throws IOException {
        URI gateway = installation.cluster().gatewayUrl();
        String own = gateway.getAuthority();

        String answer = send(gateway, address, host.replace("HOST", own), header.replace("HOST", own));

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        if (status == 401) {
            assertThat(answer).contains("www-authenticate: Bearer realm=\"millrace\"");
        }
    }

    /** Uses a socket, because Java's client does not let callers choose the host. */
    static String send(URI gateway, String address, String host, String header) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.getPort())) {
            String body = address.equals(CHANGE)
                    ? "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY
                    : "\r\n";
            String request =
                    address + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + header + "\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
