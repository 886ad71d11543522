package dev.millrace.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;

/** An exporter of log records whose failures {@link CollectorWatch} tells. */
record WatchedLogs(LogRecordExporter exporter, CollectorWatch watch) implements LogRecordExporter {
    WatchedLogs(LogRecordExporter exporter) {
        this(exporter, new CollectorWatch("log records"));
    }

    @Override
    public CompletableResultCode export(Collection<LogRecordData> records) {
        return watch.watch(exporter.export(records));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
