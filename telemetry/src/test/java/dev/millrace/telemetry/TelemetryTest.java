package dev.millrace.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @Test
    void isOffUnlessConfigured() {
        assertThat(Telemetry.isConfigured(_ -> "")).isFalse();
        assertThat(isOn(Map.of("otel.exporter.otlp.endpoint", "http://localhost:4317")))
                .isTrue();
        assertThat(isOn(Map.of("otel.traces.exporter", "otlp"))).isTrue();
        assertThat(isOn(Map.of("otel.traces.exporter", "none", "otel.exporter.otlp.endpoint", "http://x")))
                .isFalse();
        assertThat(isOn(Map.of("otel.sdk.disabled", "true", "otel.traces.exporter", "otlp")))
                .isFalse();
    }

    private static boolean isOn(Map<String, String> settings) {
        return Telemetry.isConfigured(name -> settings.getOrDefault(name, ""));
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> Telemetry.start("test", Map.of("otel.traces.exporter", "pigeon")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pigeon")
                .hasMessageContaining("OTEL_SDK_DISABLED");
    }

    @Test
    void spansLeaveOverGrpc() throws Exception {
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        Server collector = NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
                .addService(ServerServiceDefinition.builder("opentelemetry.proto.collector.trace.v1.TraceService")
                        .addMethod(EXPORT, ServerCalls.asyncUnaryCall((request, observer) -> {
                            received.add(request);
                            observer.onNext(new byte[0]);
                            observer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        try (Telemetry telemetry = Telemetry.start(
                "test",
                Map.of(
                        "otel.exporter.otlp.endpoint",
                        "http://localhost:" + collector.getPort(),
                        "otel.exporter.otlp.compression",
                        "gzip"))) {
            telemetry.export(span("greeting", telemetry));
            telemetry.flush();

            byte[] message = received.poll(60, TimeUnit.SECONDS);
            assertThat(new String(message, StandardCharsets.ISO_8859_1)).contains("greeting", "test", "one=1,two=2");
        } finally {
            collector.shutdownNow();
        }
    }

    @Test
    void nobodyWaitsForACollectorThatIsAway() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Telemetry telemetry =
                Telemetry.start("test", Map.of("otel.exporter.otlp.endpoint", "http://localhost:" + port));
        long start = System.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            telemetry.export(span("lost", telemetry));
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        telemetry.close();

        assertThat(took).isLessThan(Duration.ofSeconds(60));
    }

    @Test
    void traceparentsAreReadAndWritten() {
        String text = "00-" + TRACE + "-00f067aa0ba902b7-01";

        assertThat(Traceparent.parse(text).orElseThrow().text()).isEqualTo(text);
        assertThat(Traceparent.isSampled(text)).isTrue();
        assertThat(Traceparent.parse(text).orElseThrow().unsampled().text()).endsWith("-00");
        assertThat(Traceparent.isSampled("00-" + TRACE + "-00f067aa0ba902b7-02"))
                .isFalse();
        assertThat(Traceparent.isSampled("")).isFalse();
        String both = Traceparent.join(text, "one=1");
        assertThat(Traceparent.parse(both)
                        .orElseThrow()
                        .withParent("00000000000000ff")
                        .text())
                .isEqualTo("00-" + TRACE + "-00000000000000ff-01 one=1");
        assertThat(Traceparent.headerOf(both)).isEqualTo(text);
        assertThat(Traceparent.stateOf(both)).isEqualTo("one=1");
        assertThat(Traceparent.isSampled(both)).isTrue();
        assertThat(Traceparent.headerOf(text) + Traceparent.stateOf(text) + Traceparent.join("", "one=1"))
                .isEqualTo(text);
        assertThat(Traceparent.parse("00-" + "0".repeat(32) + "-00f067aa0ba902b7-01"))
                .isEmpty();
        assertThat(Traceparent.parse("00-" + TRACE + "-" + "0".repeat(16) + "-01"))
                .isEmpty();
    }

    static FinishedSpan span(String name, Telemetry telemetry) {
        return new FinishedSpan(
                TRACE,
                "one=1,two=2",
                "00f067aa0ba902b7",
                "",
                name,
                SpanKind.INTERNAL,
                1,
                2,
                Attributes.empty(),
                StatusData.unset(),
                List.of(),
                Telemetry.SCOPE,
                telemetry.resource());
    }

    private static final MethodDescriptor<byte[], byte[]> EXPORT = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("opentelemetry.proto.collector.trace.v1.TraceService/Export")
            .build();

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
