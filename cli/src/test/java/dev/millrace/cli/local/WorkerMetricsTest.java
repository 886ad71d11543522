package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.MetricCatalog;
import dev.millrace.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {
    private static final Path REFERENCE = Path.of("../docs/reference/metrics.md");
    private static final Path WRITTEN = Path.of("target/metrics.md");

    private final Metrics metrics = new Metrics();
    private final WorkerMetrics worker = new WorkerMetrics(metrics);

    @Test
    void countsProcessesByLanguage() {
        worker.ready("python3", Duration.ofMillis(40));
        worker.evicted("python3");
        worker.ended("python3");

        assertThat(metrics.page("").text())
                .contains(
                        "millrace_worker_process_start_seconds_bucket{language=\"python3\",le=\"0.05\"} 1",
                        "millrace_worker_processes_evicted_total{language=\"python3\"} 1.0",
                        "millrace_worker_processes_ended_total{language=\"python3\"} 1.0");
    }

    @Test
    void areListedInTheReference() throws IOException {
        String table = MetricCatalog.table(metrics.definitions());
        Files.writeString(WRITTEN, table);

        assertThat(Files.readString(REFERENCE))
                .as("the table of the worker in docs/reference/metrics.md is the content of cli/" + WRITTEN)
                .contains(table);
    }
}
