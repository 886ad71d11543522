package dev.millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrustedProxiesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''               | 10.0.0.7 | 203.0.113.9                     | 10.0.0.7",
                "10.0.0.7         | 10.0.0.8 | 203.0.113.9                     | 10.0.0.8",
                "10.0.0.7         | 10.0.0.7 | ''                              | 10.0.0.7",
                "10.0.0.7         | 10.0.0.7 | 203.0.113.9                     | 203.0.113.9",
                "10.0.0.7         | 10.0.0.7 | 1.2.3.4, 203.0.113.9            | 203.0.113.9",
                "10.0.0.7         | 10.0.0.7 | 203.0.113.9, nonsense           | 10.0.0.7",
                "10.0.0.0/8       | 10.0.0.7 | 1.2.3.4, 203.0.113.9, 10.0.0.9  | 203.0.113.9",
                "10.0.0.0/8       | 10.0.0.7 | 203.0.113.9:5123                | 203.0.113.9",
                "fd00::/8         | fd00::1  | [2001:db8::5]:5123              | 2001:db8:0:0:0:0:0:5",
                "fd00::/8         | fd00::1  | 2001:db8::5                     | 2001:db8:0:0:0:0:0:5",
                "10.0.0.7, 10.0.0.9 | 10.0.0.7 | 10.0.0.9                      | 10.0.0.9",
            })
    void nameTheClientThatTheyHaveSeen(String trusted, String peer, String forwarded, String client)
            throws UnknownHostException {
        var proxies = TrustedProxies.of(Stream.of(trusted.split(",", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList());
        var request = RequestHeaders.builder(HttpMethod.GET, "/");
        if (!forwarded.isEmpty()) {
            request.add("x-forwarded-for", forwarded);
        }

        assertThat(proxies.clientOf(request.build(), new InetSocketAddress(InetAddress.getByName(peer), 1)))
                .isEqualTo(client);
    }

    @Test
    void areAddressesAndNetworks() {
        assertThatThrownBy(() -> TrustedProxies.of(List.of("proxy.internal")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("millrace.http.trusted-proxies: proxy.internal");
        assertThatThrownBy(() -> TrustedProxies.of(List.of("10.0.0.0/99")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
