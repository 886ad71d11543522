package dev.millrace.harness;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

/** Collector of traces that takes OTLP over HTTP, in Protobuf, and keeps all spans in memory. Thread-safe. */
public final class OtlpReceiver implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /**
     * A span that was received.
     *
     * @param service attribute {@code service.name} of its resource
     * @param state the {@code tracestate}; empty for none
     * @param parent empty for none
     * @param status 0 unset, 1 ok, 2 error
     */
    public record Span(
            String service,
            String scope,
            String traceId,
            String spanId,
            String state,
            String parent,
            String name,
            long startNanos,
            long endNanos,
            Map<String, String> attributes,
            int status) {}

    private OtlpReceiver(HttpServer server) {
        this.server = server;
    }

    /** Listens on a free port of the loopback interface. */
    public static OtlpReceiver start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            OtlpReceiver receiver = new OtlpReceiver(server);
            server.createContext("/v1/traces", receiver::receive);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return receiver;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For {@code OTEL_EXPORTER_OTLP_ENDPOINT}, with the protocol {@code http/protobuf}. */
    public String endpoint() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** All spans so far. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /** The spans of one trace so far. */
    public List<Span> trace(String traceId) {
        return spans.stream().filter(span -> span.traceId.equals(traceId)).toList();
    }

    /** Some spans of a trace so far. */
    public List<Span> findAll(String traceId, Predicate<Span> which) {
        return trace(traceId).stream().filter(which).toList();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            byte[] body = isZipped
                    ? new GZIPInputStream(exchange.getRequestBody()).readAllBytes()
                    : exchange.getRequestBody().readAllBytes();
            for (byte[] resourceSpans : Message.of(body).all(1)) {
                addResource(Message.of(resourceSpans));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void addResource(Message resourceSpans) {
        Map<String, String> resource =
                attributes(Message.of(resourceSpans.bytes(1)).all(1));
        for (byte[] scopeSpans : resourceSpans.all(2)) {
            Message scoped = Message.of(scopeSpans);
            String scope = Message.of(scoped.bytes(1)).text(1);
            for (byte[] span : scoped.all(2)) {
                spans.add(span(Message.of(span), resource.getOrDefault("service.name", ""), scope));
            }
        }
    }

    private static Span span(Message span, String service, String scope) {
        return new Span(
                service,
                scope,
                HEX.formatHex(span.bytes(1)),
                HEX.formatHex(span.bytes(2)),
                span.text(3),
                HEX.formatHex(span.bytes(4)),
                span.text(5),
                span.number(7),
                span.number(8),
                attributes(span.all(9)),
                (int) Message.of(span.bytes(15)).number(3));
    }

    /** Values of all types as texts. */
    private static Map<String, String> attributes(List<byte[]> pairs) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (byte[] pair : pairs) {
            Message attribute = Message.of(pair);
            Message value = Message.of(attribute.bytes(2));
            attributes.put(attribute.text(1), value.has(1) ? value.text(1) : Long.toString(value.number(3)));
        }
        return attributes;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** The fields of a Protobuf message by number, without its schema. */
    private record Message(Map<Integer, List<byte[]>> blocks, Map<Integer, Long> numbers) {
        private static final int VARINT = 0;
        private static final int FIXED64 = 1;
        private static final int BLOCK = 2;
        private static final int FIXED32 = 5;

        static Message of(byte[] bytes) {
            Map<Integer, List<byte[]>> blocks = new LinkedHashMap<>();
            Map<Integer, Long> numbers = new LinkedHashMap<>();
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                long tag = varint(in);
                int field = (int) (tag >>> 3);
                switch ((int) (tag & 7)) {
                    case VARINT -> numbers.put(field, varint(in));
                    case FIXED64 -> numbers.put(field, in.getLong());
                    case FIXED32 -> numbers.put(field, (long) in.getInt());
                    case BLOCK -> {
                        byte[] block = new byte[(int) varint(in)];
                        in.get(block);
                        blocks.computeIfAbsent(field, _ -> new ArrayList<>()).add(block);
                    }
                    default -> throw new IllegalArgumentException("no Protobuf message: tag " + tag);
                }
            }
            return new Message(blocks, numbers);
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        List<byte[]> all(int field) {
            return blocks.getOrDefault(field, List.of());
        }

        boolean has(int field) {
            return blocks.containsKey(field);
        }

        byte[] bytes(int field) {
            List<byte[]> found = all(field);
            return found.isEmpty() ? new byte[0] : found.getLast();
        }

        String text(int field) {
            return new String(bytes(field), StandardCharsets.UTF_8);
        }

        long number(int field) {
            return numbers.getOrDefault(field, 0L);
        }
    }
}
