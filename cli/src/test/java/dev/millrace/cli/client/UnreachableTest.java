package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnreachableTest {
    /** The frame with which every server of gRPC begins. */
    private static final byte[] SETTINGS = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0x10, 0, 0};

    @Test
    void tellsThePortOfASchedulerFromThatOfAGateway() throws Exception {
        try (ServerSocket scheduler = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(scheduler));
            URI server = URI.create("http://127.0.0.1:" + scheduler.getLocalPort());

            assertThat(Unreachable.because(failure(server), server, Duration.ofSeconds(1)))
                    .hasMessage("The server at " + server
                            + " speaks gRPC, as a scheduler does, and not HTTP. The gateway of a"
                            + " scheduler is usually at port 8400. Name the gateway's address with --server or"
                            + " MILLRACE_SERVER.");
        }
    }

    private static IOException failure(URI server) throws InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (client) {
            client.send(HttpRequest.newBuilder(server).build(), HttpResponse.BodyHandlers.ofString());
            throw new AssertionError("a frame of HTTP/2 is no answer of HTTP/1.1");
        } catch (IOException failure) {
            return failure;
        }
    }

    private static void answer(ServerSocket scheduler) {
        try (Socket caller = scheduler.accept()) {
            caller.getOutputStream().write(SETTINGS);
            caller.shutdownOutput();
            caller.getInputStream().readAllBytes();
        } catch (IOException end) {
            // The caller has gone.
        }
    }
}
