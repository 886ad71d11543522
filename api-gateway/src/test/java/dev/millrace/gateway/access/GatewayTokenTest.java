package dev.millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayTokenTest {
    private final Path file;

    GatewayTokenTest(@TempDir Path folder) {
        this.file = folder.resolve("token");
    }

    @Test
    void readsTheFileAgain() throws IOException {
        Files.writeString(file, "mrg_one\n");
        GatewayToken token = GatewayToken.in(file);
        assertThat(token.current()).isEqualTo("mrg_one");

        Files.writeString(file, "mrg_two\n");
        token.look();

        assertThat(token.current()).isEqualTo("mrg_two");
        assertThat(token).hasToString("GatewayToken[hidden]");
    }

    @Test
    void keepsTheTokenWhileTheFileHoldsNone() throws IOException {
        Files.writeString(file, "mrg_one");
        GatewayToken token = GatewayToken.in(file);

        Files.writeString(file, "two words");
        token.look();
        Files.delete(file);
        token.look();

        assertThat(token.current()).isEqualTo("mrg_one");
    }

    @Test
    void refusesAFileWithoutAToken() throws IOException {
        assertThatThrownBy(() -> GatewayToken.in(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("millrace tokens create --gateway");
        Files.writeString(file, "two words");
        assertThatThrownBy(() -> GatewayToken.in(file)).hasMessageContaining("does not hold one token");
    }
}
