package dev.millrace.metrics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtlpExportTest {
    private final Metrics metrics = new Metrics();
    private final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
    private HttpServer collector;

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        collector.createContext("/v1/metrics", exchange -> {
            received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
            assertThat(exchange.getRequestHeaders().getFirst("api-key")).isEqualTo("a b");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    @Test
    void sendsSumsGaugesAndHistograms() throws InterruptedException {
        metrics.counter("millrace_things_total", "Things", "kind")
                .labelValues("small")
                .inc(3);
        metrics.gauge("millrace_room_bytes", "Room", () -> 7);
        metrics.durations("millrace_wait_seconds", "Waits", new Buckets(0.001, 1))
                .observe(TimeUnit.MILLISECONDS.toNanos(20), "");
        try (OtlpExport _ = OtlpExport.start(
                        metrics,
                        "millrace-scheduler",
                        Map.of(
                                "OTEL_METRICS_EXPORTER", "otlp",
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                        "http://127.0.0.1:"
                                                + collector.getAddress().getPort() + "/",
                                "OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b",
                                "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test",
                                "OTEL_METRIC_EXPORT_INTERVAL", "10"))
                .orElseThrow()) {
            ExportMetricsServiceRequest request = received.poll(60, TimeUnit.SECONDS);

            assertThat(request).isNotNull();
            assertThat(request.getResourceMetrics(0).getResource().getAttributesList())
                    .extracting(attribute ->
                            attribute.getKey() + "=" + attribute.getValue().getStringValue())
                    .containsExactly("service.name=millrace-scheduler", "deployment.environment=test");
            Map<String, Metric> sent = request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                    .collect(Collectors.toMap(Metric::getName, metric -> metric));
            assertThat(requireNonNull(sent.get("millrace_things"))
                            .getSum()
                            .getDataPoints(0)
                            .getAsDouble())
                    .isEqualTo(3);
            assertThat(requireNonNull(sent.get("millrace_room_bytes"))
                            .getGauge()
                            .getDataPoints(0)
                            .getAsDouble())
                    .isEqualTo(7);
            assertThat(requireNonNull(sent.get("millrace_wait_seconds")).getUnit())
                    .isEqualTo("s");
            assertThat(requireNonNull(sent.get("millrace_wait_seconds"))
                            .getHistogram()
                            .getDataPoints(0)
                            .getBucketCountsList())
                    .isEqualTo(List.of(0L, 1L, 0L));
        }
    }

    @Test
    void sendsNothingUnlessAsked() {
        assertThat(OtlpExport.start(metrics, "millrace", Map.of())).isEmpty();
        assertThat(OtlpExport.start(
                        metrics, "millrace", Map.of("OTEL_METRICS_EXPORTER", "otlp", "OTEL_SDK_DISABLED", "true")))
                .isEmpty();
    }

    @Test
    void refusesAProtocolThatItDoesNotSpeak() {
        assertThatThrownBy(() -> OtlpExport.start(
                        metrics,
                        "millrace",
                        Map.of("OTEL_METRICS_EXPORTER", "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .hasMessageContaining("http/protobuf");
    }
}
