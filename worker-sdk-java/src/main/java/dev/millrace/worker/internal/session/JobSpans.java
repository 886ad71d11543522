package dev.millrace.worker.internal.session;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.secret.Masks;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Spans of one attempt: that of the worker, and those below it that the script or handler makes. They leave with the
 * result. Thread-safe.
 */
final class JobSpans {
    /** Spans of one attempt; further ones are dropped. The scheduler takes one more, that of the worker. */
    static final int SPANS_MAX = 999;
    /** Bytes of the spans of one attempt; further ones are dropped. */
    static final int BYTES_MAX = 512 << 10;

    private static final String VERSION = "00-";
    private static final int TRACE_END = VERSION.length() + 32;
    private static final int SPAN_BEGIN = TRACE_END + 1;
    private static final int SPAN_END = SPAN_BEGIN + 16;

    private final String attempt;
    private final String spanId;
    private final String traceparent;
    private final Instant arrival = Instant.now();
    private final List<Span> spans = new ArrayList<>();
    private Instant start = arrival;
    private int bytes;
    private int dropped;

    private JobSpans(String given) {
        this.attempt = given.substring(SPAN_BEGIN, SPAN_END);
        // The lowest bit keeps the id from being zero.
        this.spanId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
        this.traceparent = given.substring(0, SPAN_BEGIN) + spanId + given.substring(SPAN_END);
    }

    /** Whether the scheduler takes spans of the lease. */
    static boolean areTaken(Lease lease) {
        return lease.getTakesSpans() && lease.getTraceparent().length() > SPAN_END;
    }

    static JobSpans of(Lease lease) {
        return new JobSpans(lease.getTraceparent());
    }

    /** The trace context for the code of the job: its parent is the span of the worker. */
    String traceparent() {
        return traceparent;
    }

    /** Notes that the code of the job begins. */
    synchronized void started() {
        start = Instant.now();
    }

    /** Adds a span of the job's code, with its secrets masked. */
    synchronized void add(Span span, Masks masks) {
        Span masked = masks.isEmpty() ? span : masked(span, masks);
        if (spans.size() >= SPANS_MAX || bytes + masked.getSerializedSize() > BYTES_MAX) {
            dropped++;
            return;
        }
        bytes += masked.getSerializedSize();
        spans.add(masked);
    }

    /** Ends the span of the worker, and adds all spans to the result. */
    synchronized void addTo(JobResult.Builder result) {
        Span.Builder execution = Span.newBuilder()
                .setSpanId(spanId)
                .setParentSpanId(attempt)
                .setName("execute")
                .setKind(Span.Kind.KIND_SERVER)
                .setStartTime(timestamp(start))
                .setEndTime(timestamp(Instant.now()))
                .addAttributes(SpanAttribute.newBuilder()
                        .setKey("millrace.worker.held_ms")
                        .setIntValue(Duration.between(arrival, start).toMillis()));
        if (dropped > 0) {
            execution.addAttributes(
                    SpanAttribute.newBuilder().setKey("millrace.spans.dropped").setIntValue(dropped));
        }
        if (result.hasError()) {
            execution
                    .setStatus(Span.Status.STATUS_ERROR)
                    .setStatusMessage(result.getError().getName() + ": "
                            + result.getError().getMessage())
                    .addAttributes(SpanAttribute.newBuilder()
                            .setKey("error.type")
                            .setStringValue(result.getError().getName()));
        }
        result.addSpans(execution).addAllSpans(spans);
        spans.clear();
    }

    private static Span masked(Span span, Masks masks) {
        Span.Builder masked = span.toBuilder()
                .setName(masks.text(span.getName()))
                .setStatusMessage(masks.text(span.getStatusMessage()))
                .setScope(masks.text(span.getScope()))
                .clearAttributes()
                .clearEvents();
        span.getAttributesList().forEach(attribute -> masked.addAttributes(masked(attribute, masks)));
        for (SpanEvent event : span.getEventsList()) {
            SpanEvent.Builder told =
                    event.toBuilder().setName(masks.text(event.getName())).clearAttributes();
            event.getAttributesList().forEach(attribute -> told.addAttributes(masked(attribute, masks)));
            masked.addEvents(told);
        }
        return masked.build();
    }

    private static SpanAttribute masked(SpanAttribute attribute, Masks masks) {
        SpanAttribute.Builder masked = attribute.toBuilder().setKey(masks.text(attribute.getKey()));
        switch (attribute.getValueCase()) {
            case STRING_VALUE -> masked.setStringValue(masks.text(attribute.getStringValue()));
            case INT_VALUE -> maskNumber(masked, Long.toString(attribute.getIntValue()), masks);
            case DOUBLE_VALUE -> maskNumber(masked, digits(attribute.getDoubleValue()), masks);
            case BOOL_VALUE, VALUE_NOT_SET -> {}
        }
        return masked.build();
    }

    /** The digits of a number as people write it, without an exponent; its name if it has none. */
    private static String digits(double number) {
        return Double.isFinite(number) ? BigDecimal.valueOf(number).toPlainString() : Double.toString(number);
    }

    /** A number with a secret in its digits becomes a text, as in results. */
    private static void maskNumber(SpanAttribute.Builder attribute, String digits, Masks masks) {
        String masked = masks.text(digits);
        if (!masked.equals(digits)) {
            attribute.setStringValue(masked);
        }
    }

    private static Timestamp timestamp(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }
}
