package dev.millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, localhost:8400, false, http://localhost:8400",
                "-, LocalHost:8400, false, http://localhost:8400",
                "-, localhost:80, false, http://localhost",
                "-, localhost:443, false, http://localhost:443",
                "-, localhost:8400, true, https://localhost:8400",
                "-, localhost:443, true, https://localhost",
                "-, [::1]:8400, false, http://[::1]:8400",
                "https://millrace.example, millrace.example, false, https://millrace.example",
                "https://millrace.example/, millrace.example:443, false, https://millrace.example",
                "https://Millrace.Example:443, millrace.example, false, https://millrace.example",
                "https://millrace.example:8443, millrace.example:8443, false, https://millrace.example:8443",
                "https://millrace.example:8443, millrace.example, false, http://millrace.example",
                "https://millrace.example, localhost:8400, false, http://localhost:8400",
                "https://millrace.example, other.example, true, https://other.example",
            })
    void knowsTheOriginOfItsOwnPages(@Nullable String publicUrl, String host, boolean isTls, String origin) {
        var site = new Site(Optional.ofNullable(publicUrl).map(URI::create), List.of());

        assertThat(site.origin(request(host), isTls)).isEqualTo(origin);
    }

    @ParameterizedTest
    @CsvSource({
        "https://millrace.example, millrace.example, https://millrace.example",
        "https://millrace.example/, millrace.example, https://millrace.example",
        "https://millrace.example/tools/millrace, millrace.example, https://millrace.example/tools/millrace",
        "https://millrace.example/tools/millrace/, millrace.example, https://millrace.example/tools/millrace",
        "https://millrace.example/tools/millrace, localhost:8400, http://localhost:8400",
    })
    void knowsThePrefixOfAProxy(String publicUrl, String host, String address) {
        var site = new Site(Optional.of(URI.create(publicUrl)), List.of());

        assertThat(site.address(request(host), false)).isEqualTo(address);
        assertThat(site.origin(request(host), false)).isEqualTo(address.replace("/tools/millrace", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "millrace.example, true",
        "millrace.example:1234, true",
        "a.internal, true",
        "A.Internal:80, true",
        "b.internal, false",
        "evil.example, false",
        "millrace.example.evil.example, false",
        "localhost.evil.example, false",
        "'', false",
        "localhost, true",
        "10.1.2.3:8400, true",
        "[fd00::1]:8400, true",
    })
    void answersToNamesThatNobodyCanRebind(String host, boolean isKnown) {
        var site = new Site(Optional.of(URI.create("https://millrace.example")), List.of("a.internal"));

        assertThat(site.knows(request(host))).isEqualTo(isKnown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "millrace.example",
                "ftp://millrace.example",
                "https://millrace.example//path",
                "https://millrace.example?x",
                "https://ada@millrace.example",
                "https:///",
                "https:millrace",
            })
    void refusesAPublicUrlThatIsNoAddress(String url) {
        assertThatThrownBy(() -> new Site(Optional.of(URI.create(url)), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("millrace.gateway.public-url");
    }

    private static RequestHeaders request(String host) {
        return RequestHeaders.builder(HttpMethod.GET, "/").authority(host).build();
    }
}
