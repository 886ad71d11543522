package dev.millrace.handler.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A server of MySQL that sends a packet without an end, in pieces of 16 MiB as the protocol has them. */
class HostileMysqlTest {
    private static final byte[] FULL_PACKET = {(byte) 0xff, (byte) 0xff, (byte) 0xff, 0};
    private static final int PIECE_BYTES = (1 << 24) - 1;
    private static final long SENT_BYTES_MAX = 64L << 20;

    @Test
    void doesNotFillTheMemoryOfTheWorker() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> sendForEver(server, sent));
            TestJob job = TestJob.of(
                    "{'database': {'host': 'localhost', 'port': %d, 'user': 'a', 'password': 'b', 'sslmode': 'disable'}}",
                    server.getLocalPort());

            assertThatThrownBy(() -> new Mysql(new SqlServerOptions(true)).run("select 1", job, 100))
                    .isInstanceOf(JobException.class)
                    .hasMessageContaining("more than " + SqlConnections.FETCH_BYTES_MAX + " bytes");
        }
        assertThat(sent.get()).isLessThan(SENT_BYTES_MAX);
    }

    private static void sendForEver(ServerSocket server, AtomicLong sent) {
        byte[] piece = new byte[PIECE_BYTES];
        try (Socket client = server.accept();
                OutputStream out = client.getOutputStream()) {
            while (true) {
                out.write(FULL_PACKET);
                out.write(piece);
                sent.addAndGet(PIECE_BYTES);
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }
}
