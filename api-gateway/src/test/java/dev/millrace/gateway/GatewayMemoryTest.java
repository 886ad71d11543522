package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of the memory that callers can make a gateway hold. */
class GatewayMemoryTest extends GatewayTest {

    private static final int BODY_BYTES = 8 << 20;
    private static final int SMALL_BUFFER_BYTES = 4 << 10;
    private static final int SOCKET_TIMEOUT_MILLIS = 60_000;
    private static final String SMALL = "{\"target\":{\"script\":\"a.py\"}}";

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void takesBodiesBesideThoseThatStrangersDoNotEnd() throws IOException {
        // So that requests do not end by their own limit.
        restart(Map.of("millrace.gateway.rpc-timeout", "5m"));
        long room = GatewayMemory.ofHeap().requests().reservationBytesMax();
        for (long held = 0; held < room; held += BODY_BYTES) {
            sendAllButTheEnd();
        }
        awaitMetric("millrace_gateway_memory_refusals_total", refusals -> refusals > 0);

        assertThat(post("/api/v1/runs", SMALL).statusCode())
                .as("of a small one")
                .isEqualTo(202);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        var large = postLarge();
        while (large.statusCode() != 202) {
            problem(large, 503, "overloaded");
            assertThat(large.headers().firstValue("retry-after")).hasValue("1");
            assertThat(System.nanoTime()).as("time until a large one is taken").isLessThan(deadline);
            large = postLarge();
        }
        closeSockets();
        awaitMetric("millrace_gateway_memory_reserved_bytes", reserved -> reserved == 0);
    }

    @Test
    void closesConnectionsThatSayNothing() throws IOException {
        restart(Map.of("millrace.gateway.idle-timeout", "300ms"));

        assertThat(connect("").getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closesConnectionsThatDoNotComeToTheEndOfTheirHeaders() throws IOException {
        restart(Map.of("millrace.gateway.idle-timeout", "300ms"));

        for (String begun : List.of("G", "GET /readyz HT", "GET /readyz HTTP/1.1\r\nhost: localhost\r\nx-slow: ")) {
            assertThat(connect(begun).getInputStream().read()).as(begun).isEqualTo(-1);
        }
    }

    @Test
    void closesConnectionsThatSendTheirHeadersByteByByte() throws IOException, InterruptedException {
        restart(Map.of("millrace.gateway.idle-timeout", "300ms"));
        Socket slow = connect("GET /readyz HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
        var closed = Thread.ofVirtual().start(() -> {
            try {
                assertThat(slow.getInputStream().read()).isEqualTo(-1);
            } catch (IOException reset) {
                // The connection is closed, too.
            }
        });

        for (int i = 0; i < 200 && !closed.join(java.time.Duration.ofMillis(50)); i++) {
            try {
                slow.getOutputStream().write('x');
            } catch (IOException reset) {
                break;
            }
        }

        assertThat(closed.join(java.time.Duration.ofSeconds(60))).as("closed").isTrue();
    }

    @Test
    void breaksOffReadersThatLeaveManyBytesLying() throws Exception {
        restart(Map.of("millrace.gateway.keep-alive-interval", "200ms"));
        assertThat(post("/api/v1/runs", SMALL).statusCode()).isEqualTo(202);
        connect("GET /api/v1/runs/run-1/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
        ServerCallStreamObserver<WatchRunResponse> watcher = scheduler.runs.watchers.poll(60, TimeUnit.SECONDS);
        assertThat(watcher).isNotNull();

        byte[] output = new byte[2 << 20];
        Arrays.fill(output, (byte) '1');
        for (int i = 0; i < 8; i++) {
            watcher.onNext(WatchRunResponse.newBuilder()
                    .setRun(Run.newBuilder().setOutput(ByteString.copyFrom(output)))
                    .build());
        }

        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!watcher.isCancelled()) {
            assertThat(System.nanoTime()).as("time until it is broken off").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private HttpResponse<String> postLarge() {
        return post(
                "/api/v1/runs",
                "{\"target\":{\"script\":\"a.py\"},\"input\":{\"text\":\"" + "x".repeat(BODY_BYTES - 1_000) + "\"}}");
    }

    private void awaitMetric(String name, DoublePredicate awaited) {
        String series = name + "{part=\"requests\"} ";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        double value;
        do {
            assertThat(System.nanoTime()).as("time until " + series).isLessThan(deadline);
            value = get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(series))
                    .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                    .findFirst()
                    .orElseThrow();
        } while (!awaited.test(value));
    }

    private void sendAllButTheEnd() throws IOException {
        Socket socket = connect(
                "POST /api/v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
                        + BODY_BYTES + "\r\n\r\n");
        Thread.startVirtualThread(() -> {
            try {
                socket.getOutputStream().write(new byte[BODY_BYTES - 1]);
            } catch (IOException refused) {
                // There was no memory for this request either.
            }
        });
    }

    private Socket connect(String begin) throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
