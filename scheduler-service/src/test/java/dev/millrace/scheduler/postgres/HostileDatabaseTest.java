package dev.millrace.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.trigger.ListenTrouble;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database of a trigger whose first message claims to be as long as messages can be. */
class HostileDatabaseTest {
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
