package dev.millrace.gateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.MetricCatalog;
import dev.millrace.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatewayMetricsTest {
    private static final Path REFERENCE = Path.of("../docs/reference/metrics.md");
    private static final Path WRITTEN = Path.of("target/metrics.md");

    @Test
    void areListedInTheReference() throws IOException {
        Metrics metrics = new Metrics();
        var _ = new GatewayMetrics(metrics, List.of());
        String table = MetricCatalog.table(metrics.definitions());
        Files.writeString(WRITTEN, table);

        assertThat(Files.readString(REFERENCE))
                .as("the table of the gateway in docs/reference/metrics.md is the content of api-gateway/" + WRITTEN)
                .contains(table);
    }
}
