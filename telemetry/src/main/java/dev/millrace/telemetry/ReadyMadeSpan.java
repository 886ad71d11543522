package dev.millrace.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link FinishedSpan} in the form that the SDK's processors and exporters take. */
record ReadyMadeSpan(FinishedSpan span) implements ReadableSpan, SpanData {
    /** Held, since exporters serialize each scope that they meet once. */
    private static final InstrumentationScopeInfo OWN_SCOPE = InstrumentationScopeInfo.create(Telemetry.SCOPE);

    @Override
    public SpanContext getSpanContext() {
        return SpanContext.create(
                span.traceId(), span.spanId(), TraceFlags.getSampled(), Tracestate.members(span.state()));
    }

    @Override
    public SpanContext getParentSpanContext() {
        return span.parentSpanId().isEmpty()
                ? SpanContext.getInvalid()
                : SpanContext.create(
                        span.traceId(), span.parentSpanId(), TraceFlags.getSampled(), Tracestate.members(span.state()));
    }

    @Override
    public String getName() {
        return span.name();
    }

    @Override
    public SpanData toSpanData() {
        return this;
    }

    // The SDK requires the deprecated method still.
    @Deprecated
    @Override
    @SuppressWarnings("InlineMeSuggester")
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(span.scope(), null);
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return span.scope().equals(Telemetry.SCOPE) ? OWN_SCOPE : InstrumentationScopeInfo.create(span.scope());
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public long getLatencyNanos() {
        return span.endNanos() - span.startNanos();
    }

    @Override
    public SpanKind getKind() {
        return span.kind();
    }

    @Override
    public <T> @Nullable T getAttribute(AttributeKey<T> key) {
        return span.attributes().get(key);
    }

    @Override
    public Attributes getAttributes() {
        return span.attributes();
    }

    @Override
    public StatusData getStatus() {
        return span.status();
    }

    @Override
    public long getStartEpochNanos() {
        return span.startNanos();
    }

    @Override
    public long getEndEpochNanos() {
        return span.endNanos();
    }

    @Override
    public List<EventData> getEvents() {
        return span.events();
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public int getTotalRecordedEvents() {
        return span.events().size();
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public int getTotalAttributeCount() {
        return span.attributes().size();
    }

    @Override
    public Resource getResource() {
        return span.resource();
    }
}
