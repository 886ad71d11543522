package dev.millrace.scheduler.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.telemetry.Telemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

final class WorkerResourcesTest {
    private static final AttributeKey<String> HOST = AttributeKey.stringKey("host.name");

    private static final class Records extends Handler {
        private final List<String> messages = new ArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            messages.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** As the SDK configures it, with name and instance belonging to entities. */
    private static Resource scheduler() {
        try (Telemetry telemetry = Telemetry.start(
                "millrace-scheduler",
                Map.of("otel.traces.exporter", "otlp", "otel.resource.attributes", "host.name=here"))) {
            return telemetry.resource();
        }
    }

    @Test
    void namesTheWorkerAndKeepsTheRest() {
        Resource worker = new WorkerResources(scheduler()).of("worker-7");

        assertThat(worker.getAttribute(Telemetry.SERVICE_NAME)).isEqualTo("millrace-worker");
        assertThat(worker.getAttribute(Telemetry.SERVICE_INSTANCE)).isEqualTo("worker-7");
        assertThat(worker.getAttribute(HOST)).isEqualTo("here");
    }

    @Test
    void isMadeOnce() {
        WorkerResources resources = new WorkerResources(scheduler());

        assertThat(resources.of("worker-7")).isSameAs(resources.of("worker-7"));
    }

    /** Each traced job once logged two warnings. */
    @Test
    void isMadeInSilence() {
        Logger libraries = Logger.getLogger("io.opentelemetry.sdk.resources");
        Records records = new Records();
        libraries.addHandler(records);
        try {
            new WorkerResources(scheduler()).of("worker-7");
        } finally {
            libraries.removeHandler(records);
        }

        assertThat(records.messages).isEmpty();
    }
}
