package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.tls.ClientTls;
import dev.millrace.tls.KeyFiles;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {

    @Test
    void listensOnLoopbackUnlessToldOtherwise() {
        assertThat(GatewayConfig.of(Map.of()))
                .isEqualTo(new GatewayConfig(
                        "127.0.0.1",
                        8400,
                        "localhost:8401",
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        new GatewayTls(Optional.empty(), false, Optional.empty(), false),
                        8 * 1024 * 1024,
                        64 * 1024 * 1024,
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(4),
                        1_000,
                        Duration.ofSeconds(15)));
    }

    @Test
    void readsEveryKey() {
        var config = GatewayConfig.from(config(Map.ofEntries(
                Map.entry("millrace.http.host", "0.0.0.0"),
                Map.entry("millrace.http.port", "0"),
                Map.entry("millrace.http.allowed-hosts", "a, b"),
                Map.entry("millrace.http.trusted-proxies", "10.0.0.7, fd00::/8"),
                Map.entry("millrace.scheduler.target", "dns:///scheduler:8401"),
                Map.entry("millrace.gateway.public-url", "https://millrace.example"),
                Map.entry("millrace.gateway.token-file", "/etc/millrace/token"),
                Map.entry("millrace.http.tls.certificate", "/http.pem"),
                Map.entry("millrace.http.tls.key", "/http.key"),
                Map.entry("millrace.http.allow-plaintext", "true"),
                Map.entry("millrace.scheduler.tls.ca", "/ca.pem"),
                Map.entry("millrace.scheduler.tls.certificate", "/own.pem"),
                Map.entry("millrace.scheduler.tls.key", "/own.key"),
                Map.entry("millrace.scheduler.allow-plaintext", "true"),
                Map.entry("millrace.gateway.request-bytes-max", "1"),
                Map.entry("millrace.gateway.response-bytes-max", "2"),
                Map.entry("millrace.gateway.rpc-timeout", "3s"),
                Map.entry("millrace.gateway.keep-alive-interval", "4s"),
                Map.entry("millrace.gateway.streams-max", "5"),
                Map.entry("millrace.gateway.idle-timeout", "6s"))));

        assertThat(config)
                .isEqualTo(new GatewayConfig(
                        "0.0.0.0",
                        0,
                        "dns:///scheduler:8401",
                        List.of("a", "b"),
                        Optional.of(URI.create("https://millrace.example")),
                        List.of("10.0.0.7", "fd00::/8"),
                        Optional.of(Path.of("/etc/millrace/token")),
                        new GatewayTls(
                                Optional.of(new KeyFiles(Path.of("/http.pem"), Path.of("/http.key"))),
                                true,
                                Optional.of(new ClientTls(
                                        Optional.of(Path.of("/ca.pem")),
                                        Optional.of(new KeyFiles(Path.of("/own.pem"), Path.of("/own.key"))))),
                                true),
                        1,
                        2,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        5,
                        Duration.ofSeconds(6)));
    }

    @Test
    void refusesPlainTextBeyondTheMachine() {
        assertThatThrownBy(() -> requireProtection(Map.of("millrace.http.host", "0.0.0.0")))
                .hasMessageContaining("would listen on 0.0.0.0 without TLS")
                .hasMessageContaining("millrace.http.tls.certificate")
                .hasMessageContaining("millrace.http.allow-plaintext");
        assertThatThrownBy(() -> requireProtection(Map.of("millrace.scheduler.target", "scheduler.example:8401")))
                .hasMessageContaining("The connection to scheduler.example:8401 would carry the tokens of callers")
                .hasMessageContaining("millrace.scheduler.allow-plaintext");
        requireProtection(Map.of());
        requireProtection(Map.of("millrace.http.host", "0.0.0.0", "millrace.http.allow-plaintext", "true"));
        requireProtection(Map.of("millrace.scheduler.target", "s.example:1", "millrace.scheduler.tls.ca", "system"));
    }

    private static void requireProtection(Map<String, String> values) {
        var config = GatewayConfig.of(values);
        config.tls().requireProtection(config.host(), config.schedulerTarget());
    }

    @Test
    void readsTheEnvironment() {
        var config = new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(
                        Map.of("MILLRACE_HTTP_PORT", "9000", "MILLRACE_GATEWAY_RPC_TIMEOUT", "1m"), 300))
                .build();

        assertThat(GatewayConfig.from(config).port()).isEqualTo(9000);
        assertThat(GatewayConfig.from(config).rpcTimeout()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void refusesUnknownKeysByName() {
        assertThatThrownBy(() -> GatewayConfig.from(config(Map.of("millrace.gateway.stream-max", "1"))))
                .hasMessageContaining("millrace.gateway.stream-max")
                .hasMessageContaining("millrace.gateway.streams-max");
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("millrace.http.prot", "1")))
                .hasMessageContaining("millrace.http.prot");
    }

    @Test
    void saysWhichValueCannotBeUsed() {
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("millrace.http.port", "70000")))
                .hasMessage("millrace.http.port: 70000 (expected: 0 to 65535)");
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("millrace.http.port", "http")))
                .hasMessage("millrace.http.port: http (expected: an integer)");
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("millrace.gateway.rpc-timeout", "0s")))
                .hasMessageContaining("millrace.gateway.rpc-timeout");
    }

    private static SmallRyeConfig config(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build();
    }
}
