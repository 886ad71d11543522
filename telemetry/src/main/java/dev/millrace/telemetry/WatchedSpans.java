package dev.millrace.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** An exporter of spans whose failures {@link CollectorWatch} tells. */
record WatchedSpans(SpanExporter exporter, CollectorWatch watch) implements SpanExporter {
    WatchedSpans(SpanExporter exporter) {
        this(exporter, new CollectorWatch("spans"));
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        return watch.watch(exporter.export(spans));
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
