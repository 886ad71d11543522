package dev.millrace.handler.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of PostgreSQL that answers the start of a session with more than a worker can hold. */
class HostilePostgresTest {
    private static final byte[] AUTHENTICATED = {'R', 0, 0, 0, 8, 0, 0, 0, 0};
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};
    private static final int START_BYTES = 8;
    /** Enough to fill the heap of the tests. */
    private static final int PIECES = 16_384;
    /** So many that those of one answer fit into its limit of bytes. */
    private static final int SHORT_MESSAGES = 1_500_000;

    @ParameterizedTest
    @CsvSource({"E, false", "E, true", "N, true"})
    void doesNotFillTheMemoryOfTheWorker(char type, boolean isAuthenticated) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, type, isAuthenticated));
            TestJob job = TestJob.of(
                    "{'database': {'host': 'localhost', 'port': %d, 'user': 'a', 'password': 'b', 'sslmode': 'disable'}}",
                    server.getLocalPort());

            Throwable failure =
                    catchThrowable(() -> new Postgresql(new SqlServerOptions(true)).run("select 1", job, 100));

            assertThat(failure).isInstanceOf(JobException.class);
            assertThat(failure).hasMessageContaining("the server sends more than");
        }
    }

    /** Each takes some bytes on the way, and a thousand times as many on the heap. */
    @ParameterizedTest
    @ValueSource(chars = {'N', 'S'})
    void keepsFewMessagesHoweverShortTheyAre(char type) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> flood(server, type));
            TestJob job = TestJob.of(
                    "{'database': {'host': 'localhost', 'port': %d, 'user': 'a', 'password': 'b', 'sslmode': 'disable'}}",
                    server.getLocalPort());

            Throwable failure =
                    catchThrowable(() -> new Postgresql(new SqlServerOptions(true)).run("select 1", job, 100));

            assertThat(failure).isInstanceOf(JobException.class);
            assertThat(failure).hasMessageContaining("the server sends more than");
        }
    }

    private static void flood(ServerSocket server, char type) {
        try (Socket client = server.accept();
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()))) {
            client.getInputStream().readNBytes(START_BYTES);
            out.write(AUTHENTICATED);
            write(out, 'S', "server_version\00015.1\0");
            write(out, 'S', "client_encoding\0UTF8\0");
            write(out, 'S', "standard_conforming_strings\0on\0");
            out.write(READY);
            for (int message = 0; message < SHORT_MESSAGES; message++) {
                write(out, type, type == 'N' ? "\0" : "p" + message + "\0\0");
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }

    private static void write(DataOutputStream out, char type, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        out.writeByte(type);
        out.writeInt(Integer.BYTES + bytes.length);
        out.write(bytes);
    }

    private static void answer(ServerSocket server, char type, boolean isAuthenticated) {
        try (Socket client = server.accept();
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            client.getInputStream().readNBytes(START_BYTES);
            if (isAuthenticated) {
                out.write(AUTHENTICATED);
            }
            out.writeByte(type);
            out.writeInt(Integer.MAX_VALUE);
            byte[] piece = new byte[1 << 16];
            Arrays.fill(piece, (byte) 'x');
            for (int i = 0; i < PIECES; i++) {
                out.write(piece);
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }
}
