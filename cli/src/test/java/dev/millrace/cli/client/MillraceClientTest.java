package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MillraceClientTest {
    @Test
    void givesUpOnAServerThatTakesAConnectionAndNeverAnswers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                MillraceClient client = new MillraceClient(
                        Connection.to(URI.create("http://127.0.0.1:" + silent.getLocalPort())),
                        Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> client.get(ApiPath.of("/runs")))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("has not answered for 1 s");
        }
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        fails("http://127.0.0.1:" + port, "No Millrace server answers at http://127.0.0.1:" + port);
    }

    @Test
    void saysThatANameIsUnknown() {
        fails("http://nobody.invalid:8400", "The host name \"nobody.invalid\" cannot be resolved.");
    }

    @Test
    void saysThatAServerSpeaksNoTls() throws IOException {
        try (ServerSocket plain = answering("HTTP/1.1 400 Bad Request\r\n\r\n")) {
            fails("https://127.0.0.1:" + plain.getLocalPort(), "The TLS handshake with https://");
        }
    }

    @Test
    void saysThatAServerSpeaksNoHttp() throws IOException {
        try (ServerSocket other = answering("SSH-2.0-OpenSSH\r\n\r\n")) {
            fails("http://127.0.0.1:" + other.getLocalPort(), "is not a Millrace gateway");
        }
    }

    /** A server that sends this text to its first client, after that client has sent something. */
    private static ServerSocket answering(String text) throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try (Socket connection = server.accept()) {
                assertThat(connection.getInputStream().read()).isNotNegative();
                connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException closed) {
                // The test is over.
            }
        });
        return server;
    }

    private static void fails(String server, String message) {
        try (MillraceClient client = new MillraceClient(URI.create(server))) {
            assertThatThrownBy(() -> client.get(ApiPath.of("/runs")))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining(message);
        }
    }
}
