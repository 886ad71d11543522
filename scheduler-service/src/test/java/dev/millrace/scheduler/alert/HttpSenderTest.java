package dev.millrace.scheduler.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with receivers that want to hold up the scheduler. */
@Timeout(180)
class HttpSenderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private ServerSocket server;
    private HttpSender sender;

    /** What a receiver does with a connection. */
    private interface Receiver {
        void answer(OutputStream out) throws IOException, InterruptedException;
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        sender = new HttpSender(rule(true), PATIENCE);
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void doesNotReadAnAnswerWithoutEnd() {
        assertThat(postTo(out -> {
                    write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    byte[] chunk = "10000\r\n"
                            .concat("x".repeat(1 << 16))
                            .concat("\r\n")
                            .getBytes(UTF_8);
                    while (true) {
                        out.write(chunk);
                    }
                }))
                .isEqualTo(new Attempt.Taken(Optional.of(200)));
    }

    @Test
    void keepsAConnectionAfterAShortBody() {
        Thread.ofVirtual().start(() -> {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                for (int last = 0, next; (next = socket.getInputStream().read()) >= 0; last = next) {
                    if (last == '{' && next == '}') {
                        write(socket.getOutputStream(), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    }
                }
            } catch (IOException left) {
                // The sender has left.
            }
        });
        for (int message = 0; message < 3; message++) {
            // A second connection would get no answer.
            assertThat(post(sender)).isEqualTo(new Attempt.Taken(Optional.of(200)));
        }
    }

    @Test
    void leavesAReceiverThatNeverEndsAShortBody() {
        assertThat(postTo(out -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")))
                .isEqualTo(new Attempt.Taken(Optional.of(200)));
    }

    @Test
    void doesNotWaitForABodyThatIsAnnouncedOnly() {
        assertThat(postTo(out -> write(out, "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 1000000\r\n\r\nx")))
                .isEqualTo(new Attempt.Failed(
                        Optional.of(503), "The receiver answered 503.", Optional.of(Duration.ofSeconds(7)), false));
    }

    @Test
    void leavesAReceiverThatNeverEndsItsHead() {
        assertThat(lateTo(out -> {
                    write(out, "HTTP/1.1 200 OK\r\n");
                    for (int header = 0; ; header++) {
                        write(out, "x" + header + ": y\r\n");
                        Thread.sleep(100);
                    }
                }))
                .isEqualTo(late());
    }

    @Test
    void leavesAReceiverThatNeverAnswers() {
        assertThat(lateTo(_ -> {})).isEqualTo(late());
    }

    @Test
    void doesNotFollowARedirect() {
        assertThat(postTo(out -> write(
                        out, "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")))
                .isEqualTo(new Attempt.Failed(Optional.of(302), "The receiver answered 302.", Optional.empty(), false));
        assertThat(sockets).hasSize(1);
    }

    private static Attempt late() {
        return new Attempt.Failed(
                Optional.empty(), "The receiver did not answer: it took longer than 1 s.", Optional.empty(), false);
    }

    private Attempt lateTo(Receiver receiver) {
        try (HttpSender impatient = new HttpSender(rule(true), SHORT)) {
            accept(receiver);
            return post(impatient);
        }
    }

    private Attempt postTo(Receiver receiver) {
        accept(receiver);
        return post(sender);
    }

    private void accept(Receiver receiver) {
        Thread.ofVirtual().start(() -> {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                receiver.answer(socket.getOutputStream());
            } catch (IOException | InterruptedException left) {
                // The sender has left.
            }
        });
    }

    private Attempt post(HttpSender by) {
        return by.post("http://127.0.0.1:" + server.getLocalPort() + "/hook", "{}", Map.of());
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static AddressRule rule(boolean allowsPrivate) {
        return new AlertConfig(allowsPrivate, Optional.empty()).addressRule();
    }
}
