package dev.millrace.telemetry;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;

/**
 * A span that has ended, with ids that its maker chose.
 *
 * @param state the {@code tracestate} of the trace; empty for none
 * @param parentSpanId empty for the root of a trace
 * @param startNanos since 1970
 * @param endNanos since 1970
 * @param scope name of what made the span
 * @param resource the service whose work the span is
 */
public record FinishedSpan(
        String traceId,
        String state,
        String spanId,
        String parentSpanId,
        String name,
        SpanKind kind,
        long startNanos,
        long endNanos,
        Attributes attributes,
        StatusData status,
        List<EventData> events,
        String scope,
        Resource resource) {
    public FinishedSpan {
        requireNonNull(traceId, "traceId");
        requireNonNull(state, "state");
        requireNonNull(spanId, "spanId");
        requireNonNull(parentSpanId, "parentSpanId");
        requireNonNull(name, "name");
        requireNonNull(kind, "kind");
        requireNonNull(attributes, "attributes");
        requireNonNull(status, "status");
        requireNonNull(scope, "scope");
        requireNonNull(resource, "resource");
        events = List.copyOf(events);
    }
}
