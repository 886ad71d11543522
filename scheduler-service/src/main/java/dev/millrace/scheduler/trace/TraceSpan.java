package dev.millrace.scheduler.trace;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A span of a run, which may not have ended.
 *
 * @param id 16 hexadecimal digits
 * @param parent id of the parent; empty for none
 * @param scope what made the span; empty if Millrace itself did
 * @param worker name of the worker whose work it is; empty for the work of schedulers
 */
public record TraceSpan(
        String id,
        String parent,
        String name,
        SpanKind kind,
        Instant start,
        Optional<Instant> end,
        Attributes attributes,
        StatusData status,
        List<EventData> events,
        String scope,
        String worker) {
    public TraceSpan {
        requireNonNull(id, "id");
        requireNonNull(parent, "parent");
        requireNonNull(name, "name");
        requireNonNull(kind, "kind");
        requireNonNull(start, "start");
        requireNonNull(end, "end");
        requireNonNull(attributes, "attributes");
        requireNonNull(status, "status");
        events = List.copyOf(events);
        requireNonNull(scope, "scope");
        requireNonNull(worker, "worker");
    }

    /** A span that Millrace makes of what it knows. */
    static TraceSpan of(
            String id,
            String parent,
            String name,
            SpanKind kind,
            Instant start,
            Optional<Instant> end,
            Attributes attributes) {
        return new TraceSpan(id, parent, name, kind, start, end, attributes, StatusData.unset(), List.of(), "", "");
    }

    TraceSpan failed(StatusData why, List<EventData> told) {
        return new TraceSpan(id, parent, name, kind, start, end, attributes, why, told, scope, worker);
    }
}
