package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientTlsTest {
    @Test
    void isOffWithoutAnAuthority() {
        assertThat(read(Map.of())).isEmpty();
    }

    @Test
    void trustsTheAuthoritiesOfAFileOrThoseOfJava() {
        assertThat(read(Map.of(ClientTls.CA, "ca.pem")).orElseThrow().authorities())
                .contains(Path.of("ca.pem"));
        assertThat(read(Map.of(ClientTls.CA, "system")).orElseThrow().authorities())
                .isEmpty();
    }

    @Test
    void wantsACertificateWithItsKeyAndAnAuthority() {
        assertThatThrownBy(() -> read(Map.of(ClientTls.CA, "ca.pem", ClientTls.KEY, "key.pem")))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("millrace.scheduler.tls.certificate is missing");
        assertThatThrownBy(() -> read(Map.of(ClientTls.CERTIFICATE, "c.pem", ClientTls.KEY, "key.pem")))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("millrace.scheduler.tls.ca is missing");
    }

    @Test
    void refusesTokensInPlainTextBeyondTheMachine() {
        assertThatThrownBy(() -> require("scheduler.example:8401", false))
                .isInstanceOf(TlsException.class)
                .hasMessage("The connection to scheduler.example:8401 would carry the token of this worker in plain"
                        + " text, where others on the network can read it. Set millrace.scheduler.tls.ca to the file"
                        + " with the authority of the scheduler's certificate. If something else encrypts the"
                        + " connection, allow it.");
        require("localhost:8401", false);
        require("scheduler.example:8401", true);
    }

    private static void require(String target, boolean isAllowed) {
        ChannelSecurity.requireNoPlaintext(target, Optional.empty(), "the token of this worker", isAllowed, "allow it");
    }

    private static Optional<ClientTls> read(Map<String, String> settings) {
        return ClientTls.read(key -> Optional.ofNullable(settings.get(key)));
    }
}
