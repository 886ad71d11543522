package dev.millrace.scheduler.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.postgres.core.OutboxRow;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.tls.AnswerTurns;
import dev.millrace.tls.BoundedConnection;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
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
    private static final int TRIGGERS = 50;
    private static final int ROW_BYTES = 8 << 20;
    /** Of all servers, which would else fill the heap themselves. */
    private static final byte[] CONTENT = "x".repeat(ROW_BYTES).getBytes(UTF_8);

    private static final int INT8 = 20;
    private static final int TEXT = 25;
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

            assertThatThrownBy(() -> OutboxStore.open(endpoint, connection(), purpose))
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

            assertThatThrownBy(() -> OutboxStore.open(endpoint, connection(), purpose))
                    .isInstanceOf(ListenTrouble.class)
                    .hasMessageContaining("the server sends");
        }
    }

    /** As many as a workspace may have triggers, each with as much as one answer may be. */
    @Test
    void holdsTheAnswersOfFewServersAtATime() throws Exception {
        AnswerTurns turns = new AnswerTurns(1, 1 << 10);
        List<ServerSocket> servers = new ArrayList<>();
        List<OutboxStore> stores = new ArrayList<>();
        ExecutorService looks = Executors.newVirtualThreadPerTaskExecutor();
        try {
            AtomicInteger holding = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<Future<Integer>> found = new ArrayList<>();
            for (int trigger = 0; trigger < TRIGGERS; trigger++) {
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                servers.add(server);
                Thread.ofVirtual().start(() -> row(server));
                BoundedConnection bounds = BoundedConnection.open(new TriggerConfig(true).addressRule(), "shop", turns);
                OutboxStore store = OutboxStore.open(endpoint(server), bounds, OutboxStore.Purpose.ROWS);
                stores.add(store);
                found.add(looks.submit(() -> {
                    List<OutboxRow> rows = store.rows(
                            new PostgresSettings.Table("orders", "id"), new OutboxStore.Range(0, 1, 1, 1, 1));
                    most.accumulateAndGet(holding.incrementAndGet(), Math::max);
                    Thread.yield();
                    holding.decrementAndGet();
                    store.endTurn();
                    return rows.size();
                }));
            }
            for (Future<Integer> one : found) {
                assertThat(one.get()).isOne();
            }
            assertThat(most).hasValue(1);
        } finally {
            stores.forEach(OutboxStore::close);
            looks.close();
            for (ServerSocket server : servers) {
                server.close();
            }
        }
    }

    private static Endpoint endpoint(ServerSocket server) {
        return new Endpoint("localhost", server.getLocalPort(), "x", "a", "b", "disable", Optional.empty());
    }

    /** Lets a client in, and answers the statement for rows with a large one. */
    private static void row(ServerSocket server) {
        try (Socket client = server.accept();
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()))) {
            in.skipNBytes(in.readInt() - Integer.BYTES);
            out.write(AUTHENTICATED);
            for (String setting : List.of(
                    "server_version\00018.0\0", "client_encoding\0UTF8\0", "standard_conforming_strings\0on\0")) {
                write(out, 'S', setting.getBytes(UTF_8));
            }
            out.write(READY);
            boolean isForRows = false;
            while (true) {
                out.flush();
                char type = (char) in.readByte();
                String body = new String(in.readNBytes(in.readInt() - Integer.BYTES), UTF_8);
                isForRows |= body.contains("row_to_json");
                if (isForRows && type == 'S') {
                    write(out, '1', new byte[0]);
                    write(out, '2', new byte[0]);
                    writeRow(out);
                }
                if (type == 'S' || type == 'Q') {
                    write(out, 'C', "SELECT 1\0".getBytes(UTF_8));
                    out.write(READY);
                }
            }
        } catch (IOException left) {
            // The driver has closed the connection.
        }
    }

    private static void writeRow(DataOutputStream out) throws IOException {
        ByteArrayOutputStream columns = new ByteArrayOutputStream();
        DataOutputStream description = new DataOutputStream(columns);
        description.writeShort(3);
        for (String column : List.of("id", "chars", "content")) {
            description.writeBytes(column + "\0");
            description.writeInt(0);
            description.writeShort(0);
            description.writeInt(column.equals("content") ? TEXT : INT8);
            description.writeShort(-1);
            description.writeInt(-1);
            description.writeShort(0);
        }
        write(out, 'T', columns.toByteArray());
        out.writeByte('D');
        out.writeInt(Integer.BYTES + Short.BYTES + 3 * Integer.BYTES + 2 + CONTENT.length);
        out.writeShort(3);
        for (byte[] value : List.of(new byte[] {'1'}, new byte[] {'1'}, CONTENT)) {
            out.writeInt(value.length);
            out.write(value);
        }
    }

    private static void write(DataOutputStream out, char type, byte[] body) throws IOException {
        out.writeByte(type);
        out.writeInt(Integer.BYTES + body.length);
        out.write(body);
    }

    private static BoundedConnection connection() {
        return BoundedConnection.open(new TriggerConfig(true).addressRule(), "shop", new AnswerTurns(1, 1 << 10));
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
