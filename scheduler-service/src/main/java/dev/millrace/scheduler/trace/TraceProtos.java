package dev.millrace.scheduler.trace;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import dev.millrace.scheduler.rpc.TimeProtos;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Converts spans to and from messages. What workers report is cut to limits, and left out where it is no span. */
public final class TraceProtos {
    /** Largest number of spans that one attempt may report. */
    private static final int SPANS_MAX = 1_000;
    /** Largest number of attributes of a span or event. */
    private static final int ATTRIBUTES_MAX = 64;
    /** Largest number of events of a span. */
    private static final int EVENTS_MAX = 64;
    /** Longest text of a span, in characters; longer ones are cut. */
    private static final int TEXT_MAX = 4_096;

    private static final Pattern ID = Pattern.compile("(?!0{16})[0-9a-f]{16}");

    private TraceProtos() {}

    static Span span(TraceSpan span) {
        Span.Builder message = Span.newBuilder()
                .setSpanId(span.id())
                .setParentSpanId(span.parent())
                .setName(span.name())
                .setKind(kind(span.kind()))
                .setStartTime(TimeProtos.timestamp(span.start()))
                .addAllAttributes(attributes(span.attributes()))
                .setStatus(status(span.status()))
                .setStatusMessage(span.status().getDescription())
                .setScope(span.scope());
        span.end().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        for (EventData event : span.events()) {
            message.addEvents(SpanEvent.newBuilder()
                    .setName(event.getName())
                    .setTime(TimeProtos.timestamp(time(event.getEpochNanos())))
                    .addAllAttributes(attributes(event.getAttributes())));
        }
        return message.build();
    }

    /**
     * The spans that a worker reports.
     *
     * @param worker name of the worker
     */
    public static List<TraceSpan> reported(List<Span> spans, String worker) {
        return spans.stream()
                .limit(SPANS_MAX)
                .flatMap(span -> reported(span, worker))
                .toList();
    }

    private static Stream<TraceSpan> reported(Span span, String worker) {
        if (!ID.matcher(span.getSpanId()).matches()
                || !ID.matcher(span.getParentSpanId()).matches()
                || !span.hasEndTime()) {
            return Stream.empty();
        }
        try {
            Instant start = time(span.getStartTime());
            Instant end = time(span.getEndTime());
            return Stream.of(new TraceSpan(
                    span.getSpanId(),
                    span.getParentSpanId(),
                    text(span.getName()),
                    kind(span.getKind()),
                    start,
                    Optional.of(end.isBefore(start) ? start : end),
                    attributes(span.getAttributesList()),
                    status(span),
                    span.getEventsList().stream()
                            .limit(EVENTS_MAX)
                            .map(event -> EventData.create(
                                    RunSpans.nanos(time(event.getTime())),
                                    text(event.getName()),
                                    attributes(event.getAttributesList())))
                            .toList(),
                    text(span.getScope()),
                    worker));
        } catch (DateTimeException | ArithmeticException noTime) {
            return Stream.empty();
        }
    }

    private static Instant time(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private static Instant time(long nanos) {
        return Instant.EPOCH.plusNanos(nanos);
    }

    private static List<SpanAttribute> attributes(Attributes attributes) {
        return attributes.asMap().entrySet().stream()
                .map(entry -> attribute(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static SpanAttribute attribute(AttributeKey<?> key, Object value) {
        SpanAttribute.Builder attribute = SpanAttribute.newBuilder().setKey(key.getKey());
        return switch (value) {
            case Long integer -> attribute.setIntValue(integer).build();
            case Double number -> attribute.setDoubleValue(number).build();
            case Boolean truth -> attribute.setBoolValue(truth).build();
            default -> attribute.setStringValue(value.toString()).build();
        };
    }

    private static Attributes attributes(List<SpanAttribute> attributes) {
        AttributesBuilder builder = Attributes.builder();
        for (SpanAttribute attribute : attributes.subList(0, Math.min(ATTRIBUTES_MAX, attributes.size()))) {
            String key = text(attribute.getKey());
            switch (attribute.getValueCase()) {
                case STRING_VALUE -> builder.put(key, text(attribute.getStringValue()));
                case INT_VALUE -> builder.put(key, attribute.getIntValue());
                case DOUBLE_VALUE -> builder.put(key, attribute.getDoubleValue());
                case BOOL_VALUE -> builder.put(key, attribute.getBoolValue());
                case VALUE_NOT_SET -> {}
            }
        }
        return builder.build();
    }

    private static String text(String given) {
        return given.length() <= TEXT_MAX ? given : given.substring(0, TEXT_MAX) + "…";
    }

    private static StatusData status(Span span) {
        return switch (span.getStatus()) {
            case STATUS_OK -> StatusData.ok();
            case STATUS_ERROR -> StatusData.create(StatusCode.ERROR, text(span.getStatusMessage()));
            case STATUS_UNSPECIFIED, UNRECOGNIZED -> StatusData.unset();
        };
    }

    private static Span.Status status(StatusData status) {
        return switch (status.getStatusCode()) {
            case OK -> Span.Status.STATUS_OK;
            case ERROR -> Span.Status.STATUS_ERROR;
            case UNSET -> Span.Status.STATUS_UNSPECIFIED;
        };
    }

    private static Span.Kind kind(SpanKind kind) {
        return switch (kind) {
            case INTERNAL -> Span.Kind.KIND_INTERNAL;
            case SERVER -> Span.Kind.KIND_SERVER;
            case CLIENT -> Span.Kind.KIND_CLIENT;
            case PRODUCER -> Span.Kind.KIND_PRODUCER;
            case CONSUMER -> Span.Kind.KIND_CONSUMER;
        };
    }

    private static SpanKind kind(Span.Kind kind) {
        return switch (kind) {
            case KIND_SERVER -> SpanKind.SERVER;
            case KIND_CLIENT -> SpanKind.CLIENT;
            case KIND_PRODUCER -> SpanKind.PRODUCER;
            case KIND_CONSUMER -> SpanKind.CONSUMER;
            case KIND_INTERNAL, KIND_UNSPECIFIED, UNRECOGNIZED -> SpanKind.INTERNAL;
        };
    }
}
