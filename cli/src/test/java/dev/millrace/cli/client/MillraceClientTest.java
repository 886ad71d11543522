package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MillraceClientTest {
    @Test
    void givesUpOnAServerThatTakesAConnectionAndNeverAnswers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                MillraceClient client = new MillraceClient(
                        URI.create("http://127.0.0.1:" + silent.getLocalPort()), Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> client.get(ApiPath.of("/runs")))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("has not answered for 1 s");
        }
    }
}
