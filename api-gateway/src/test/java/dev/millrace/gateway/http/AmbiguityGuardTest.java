package dev.millrace.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmbiguityGuardTest extends GatewayTest {

    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;

    /** First line without the version, further headers separated by |, and the status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "GET /livez            ! Host: localhost                                             ! 200",
                "GET /livez            ! Host: localhost|Host: evil.example                          ! 400",
                "GET /livez            ! Host: evil.example|Host: localhost                          ! 400",
                "GET /livez            ! Host: localhost|Host: localhost                             ! 400",
                "GET /livez;x=1        ! Host: localhost                                             ! 400",
                "GET /api/v1;x=1/runs  ! Host: localhost                                             ! 400",
                "GET //livez           ! Host: localhost                                             ! 400",
                "GET /api//v1/runs     ! Host: localhost                                             ! 400",
                "GET //evil.example    ! Host: localhost                                             ! 400",
                "GET /runs?a=//b;c     ! Host: localhost                                             ! 200",
                "GET /livez?x=;        ! Host: localhost                                             ! 400",
                "POST /api/v1/runs     ! Host: localhost|Content-Encoding: gzip|Content-Length: 0    ! 415",
            })
    void refusesWhatOthersMayUnderstandDifferently(String line, String headers, int status) throws IOException {
        assertThat(statusLine(line + " HTTP/1.1\r\n" + headers.replace("|", "\r\n") + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status + " ");
    }

    /** The server closes the connection seconds later, when the client has had time to. */
    private String statusLine(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
