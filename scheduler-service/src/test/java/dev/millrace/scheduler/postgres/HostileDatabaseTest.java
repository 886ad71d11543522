package dev.millrace.scheduler.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.trigger.ListenTrouble;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database of a trigger that answers with more than a scheduler can hold. */
class HostileDatabaseTest {
    private static final byte[] AUTHENTICATED = {'R', 0, 0, 0, 8, 0, 0, 0, 0};
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};
    private static final byte[] NOTICE = {'N', 0, 0, 0, 5, 0};
    /** So many that they fit into the limit of bytes. */
    private static final int NOTICES = 2_000_000;

    private static final int START_BYTES = 8;
    private static final int PIECE_BYTES = 1 << 16;
    /** Enough to fill the heap of the tests. */
    private static final int PIECES = 16_384;

    @ParameterizedTest
    @EnumSource(OutboxStore.Purpose.class)
    void doesNotFillTheMemoryOfTheScheduler(OutboxStore.Purpose purpose) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server));
            Endpoint endpoint =
                    new Endpoint("localhost", server.getLocalPort(), "x", "a", "b", "disable", Optional.empty());

            assertThatThrownBy(() -> OutboxStore.open(endpoint, new TriggerConfig(true).addressRule(), purpose))
                    .isInstanceOf(ListenTrouble.class)
                    .hasMessageContaining("the server sends");
        }
    }

    /** Each takes some bytes on the way, and a thousand times as many on the heap. */
    @ParameterizedTest
    @EnumSource(OutboxStore.Purpose.class)
    void keepsFewNoticesHoweverShortTheyAre(OutboxStore.Purpose purpose) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> notify(server));
            Endpoint endpoint =
                    new Endpoint("localhost", server.getLocalPort(), "x", "a", "b", "disable", Optional.empty());

            assertThatThrownBy(() -> OutboxStore.open(endpoint, new TriggerConfig(true).addressRule(), purpose))
                    .isInstanceOf(ListenTrouble.class)
                    .hasMessageContaining("the server sends");
        }
    }

    private static void notify(ServerSocket server) {
        try (Socket client = server.accept();
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()))) {
            client.getInputStream().readNBytes(START_BYTES);
            out.write(AUTHENTICATED);
            byte[] version = "server_version\00018.0\0".getBytes(UTF_8);
            out.writeByte('S');
            out.writeInt(Integer.BYTES + version.length);
            out.write(version);
            out.write(READY);
            for (int notice = 0; notice < NOTICES; notice++) {
                out.write(NOTICE);
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }

    private static void answer(ServerSocket server) {
        try (Socket client = server.accept();
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            client.getInputStream().readNBytes(START_BYTES);
            out.writeByte('E');
            out.writeInt(Integer.MAX_VALUE);
            byte[] piece = new byte[PIECE_BYTES];
            Arrays.fill(piece, (byte) 'x');
            for (int i = 0; i < PIECES; i++) {
                out.write(piece);
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }
}
