package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests what a collector gets of log lines. */
class LogExportTest {
    private static final Logger log = LoggerFactory.getLogger(LogExportTest.class);

    @Test
    void isOffUnlessAskedFor() {
        assertThat(LogExport.start("test", Map.of("otel.exporter.otlp.endpoint", "http://localhost:4318")))
                .isEmpty();
        assertThat(LogExport.start("test", Map.of("otel.logs.exporter", "none")))
                .isEmpty();
        assertThat(LogExport.start("test", Map.of("otel.logs.exporter", "otlp", "otel.sdk.disabled", "true")))
                .isEmpty();
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> LogExport.start("test", Map.of("otel.logs.exporter", "pigeon")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pigeon");
    }

    @Test
    void linesReachACollectorUntilTheEnd() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/logs", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        try {
            LogExport export = LogExport.start(
                            "testing",
                            Map.of(
                                    "otel.logs.exporter", "otlp",
                                    "otel.exporter.otlp.protocol", "http/protobuf",
                                    "otel.exporter.otlp.endpoint",
                                            "http://localhost:"
                                                    + collector.getAddress().getPort()))
                    .orElseThrow();
            log.atWarn()
                    .addKeyValue("run", "r-1")
                    .setCause(new IllegalStateException("broken"))
                    .log("Something is odd");
            LoggerFactory.getLogger("io.opentelemetry.exporter.Test").warn("would come back");
            export.close();
            log.warn("Too late");

            assertThat(received.poll(60, TimeUnit.SECONDS))
                    .contains(
                            "testing",
                            "LogExportTest",
                            "WARN",
                            "Something is odd",
                            "r-1",
                            "exception.stacktrace",
                            "IllegalStateException")
                    .doesNotContain("would come back");
            assertThat(received).isEmpty();
        } finally {
            collector.stop(0);
        }
    }
}
