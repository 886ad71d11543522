package dev.millrace.worker.internal.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import java.util.Locale;

/** Reads the spans that processes send. Whatever a span lacks stays empty; the scheduler leaves out what is no span. */
final class SpanFrames {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private SpanFrames() {}

    static Span parse(JsonNode span) {
        Span.Builder message = Span.newBuilder()
                .setSpanId(text(span, "span_id"))
                .setParentSpanId(text(span, "parent_span_id"))
                .setName(text(span, "name"))
                .setKind(kind(text(span, "kind")))
                .setStartTime(time(span.path("start_us")))
                .setEndTime(time(span.path("end_us")))
                .setStatus(status(text(span, "status")))
                .setStatusMessage(text(span, "status_message"))
                .setScope(text(span, "scope"));
        span.path("attributes")
                .properties()
                .forEach(entry -> message.addAttributes(attribute(entry.getKey(), entry.getValue())));
        for (JsonNode event : span.path("events")) {
            SpanEvent.Builder told =
                    SpanEvent.newBuilder().setName(text(event, "name")).setTime(time(event.path("time_us")));
            event.path("attributes")
                    .properties()
                    .forEach(entry -> told.addAttributes(attribute(entry.getKey(), entry.getValue())));
            message.addEvents(told);
        }
        return message.build();
    }

    private static SpanAttribute attribute(String key, JsonNode value) {
        SpanAttribute.Builder attribute = SpanAttribute.newBuilder().setKey(key);
        if (value.isTextual()) {
            return attribute.setStringValue(value.textValue()).build();
        }
        if (value.isBoolean()) {
            return attribute.setBoolValue(value.booleanValue()).build();
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return attribute.setIntValue(value.longValue()).build();
        }
        if (value.isNumber()) {
            return attribute.setDoubleValue(value.doubleValue()).build();
        }
        return attribute.setStringValue(value.toString()).build();
    }

    private static Timestamp time(JsonNode micros) {
        long value = micros.asLong();
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(value, MICROS_PER_SECOND))
                .setNanos((int) Math.floorMod(value, MICROS_PER_SECOND) * NANOS_PER_MICRO)
                .build();
    }

    private static Span.Kind kind(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "server" -> Span.Kind.KIND_SERVER;
            case "client" -> Span.Kind.KIND_CLIENT;
            case "producer" -> Span.Kind.KIND_PRODUCER;
            case "consumer" -> Span.Kind.KIND_CONSUMER;
            default -> Span.Kind.KIND_INTERNAL;
        };
    }

    private static Span.Status status(String name) {
        return switch (name) {
            case "ok" -> Span.Status.STATUS_OK;
            case "error" -> Span.Status.STATUS_ERROR;
            default -> Span.Status.STATUS_UNSPECIFIED;
        };
    }

    private static String text(JsonNode node, String key) {
        return node.path(key).asText("");
    }
}
