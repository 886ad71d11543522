package dev.millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerOriginTest {

    private static final int PORT = 40_000;

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, localhost:8400, LOCAL",
        "localhost, 127.0.0.1, localhost, LOCAL",
        "::1, ::1, [::1]:8400, LOCAL",
        "[::1], ::1, [::1], LOCAL",
        "127.0.0.1, 127.0.0.1, 127.0.0.1:8400, LOCAL",
        "127.0.0.1, 127.0.0.1, LOCALHOST:8400, LOCAL",
        "127.0.0.1, 127.0.0.1, console.localhost:8400, LOCAL",
        "127.0.0.1, 127.0.0.1, evil.example, REMOTE",
        "127.0.0.1, 127.0.0.1, localhost.evil.example, REMOTE",
        "127.0.0.1, 127.0.0.1, evillocalhost, REMOTE",
        "127.0.0.1, 127.0.0.1, 127.0.0.1.evil.example, REMOTE",
        "127.0.0.1, 127.0.0.1, 10.1.2.3:8400, REMOTE",
        "127.0.0.1, 127.0.0.1, '', REMOTE",
        "127.0.0.1, 127.0.0.1, localhost:8400@evil.example, REMOTE",
        "127.0.0.1, 10.1.2.3, localhost:8400, REMOTE",
        "0.0.0.0, 127.0.0.1, localhost:8400, REMOTE",
        "10.1.2.3, 127.0.0.1, localhost:8400, REMOTE",
        "gateway.internal, 127.0.0.1, localhost:8400, REMOTE",
    })
    void needsTheOwnMachineEverywhere(String listening, String peer, String host, CallerOrigin expected)
            throws UnknownHostException {
        assertThat(CallerOrigin.of(request(host).build(), address(peer), listening))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
                "x-forwarded-anything",
                "Forwarded",
                "Via",
                "X-Real-IP",
                "X-Client-IP",
                "True-Client-IP",
                "CF-Connecting-IP",
                "X-Original-Forwarded-For",
            })
    void isLostBehindAProxy(String header) throws UnknownHostException {
        var request = request("localhost:8400").add(header, "127.0.0.1").build();

        assertThat(CallerOrigin.of(request, address("127.0.0.1"), "127.0.0.1")).isEqualTo(CallerOrigin.REMOTE);
    }

    private static com.linecorp.armeria.common.RequestHeadersBuilder request(String host) {
        return RequestHeaders.builder(HttpMethod.GET, "/").authority(host);
    }

    private static InetSocketAddress address(String text) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(text), PORT);
    }
}
