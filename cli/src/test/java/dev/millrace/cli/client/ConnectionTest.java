package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
    private static final Optional<Token> TOKEN = Optional.of(new Token("mru_secret", "the context prod"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:8400",
                "http://LOCALHOST",
                "http://127.0.0.1:8400",
                "http://127.8.9.1",
                "http://[::1]:8400",
                "http://millrace.localhost",
                "https://millrace.example"
            })
    void carriesTokensWhereNobodyListens(String server) {
        assertThat(Connection.to(URI.create(server)).with(TOKEN).token()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://millrace.example",
                "http://10.0.0.1:8400",
                "http://localhost.example",
                "http://127.0.0.1.example",
                "http://0.0.0.0:8400",
                "http://[::2]:8400",
                "http://localhost@millrace.example"
            })
    void carriesNoTokenUnencrypted(String server) {
        assertThatThrownBy(() -> Connection.to(URI.create(server)).with(TOKEN))
                .hasMessageStartingWith("The token of the context prod would travel unencrypted to " + server)
                .hasMessageNotContaining("mru_secret");
    }

    @Test
    void showsNoTokenInTexts() {
        assertThat(Connection.to(URI.create("https://a.example")).with(TOKEN).toString())
                .doesNotContain("mru_secret");
    }
}
