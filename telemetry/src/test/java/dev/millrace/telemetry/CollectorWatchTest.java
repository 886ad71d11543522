package dev.millrace.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what the log says while a collector is away. */
class CollectorWatchTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(CollectorWatch.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void saysOnceThatACollectorIsAwayAndOnceThatItIsBack() {
        CollectorWatch watch = new CollectorWatch("spans");

        watch.watch(CompletableResultCode.ofSuccess());
        watch.watch(CompletableResultCode.ofExceptionalFailure(new CompletionException(new IOException("refused"))));
        watch.watch(CompletableResultCode.ofFailure());
        watch.watch(CompletableResultCode.ofSuccess());
        watch.watch(CompletableResultCode.ofSuccess());
        watch.watch(CompletableResultCode.ofFailure());

        assertThat(lines())
                .containsExactly(
                        "WARN The collector does not take spans; they are dropped until it does [reason=\"IOException: refused\"]",
                        "INFO The collector takes spans again []",
                        "WARN The collector does not take spans; they are dropped until it does [reason=\"unknown\"]");
    }

    @Test
    void spansAreWatched() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Telemetry telemetry = Telemetry.start(
                "test",
                Map.of(
                        "otel.exporter.otlp.endpoint",
                        "http://localhost:" + port,
                        "otel.java.exporter.otlp.retry.disabled",
                        "true"))) {
            for (int batch = 0; batch < 3; batch++) {
                telemetry.export(TelemetryTest.span("lost", telemetry));
                telemetry.flush();
            }
        }

        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("WARN The collector does not take spans")
                .contains("UNAVAILABLE");
    }

    private List<String> lines() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage() + " "
                        + (line.getKeyValuePairs() == null ? List.of() : line.getKeyValuePairs()))
                .toList();
    }
}
