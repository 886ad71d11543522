package dev.millrace.telemetry;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.trace.SpanContext;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Trace context as in W3C's {@code traceparent} header, version 00, and its {@code tracestate}.
 *
 * <p>Where both are kept in one text, the state follows the parent after a blank, and there is neither if there is no
 * state. So contexts without a state, which are nearly all, cost nothing.
 *
 * @param traceId 32 hexadecimal digits, not all zero
 * @param spanId the parent of the spans to come, 16 hexadecimal digits, not all zero
 * @param isSampled whether the spans of the trace are kept
 * @param state the {@code tracestate}, as {@link Tracestate#read} returns it; empty for none
 */
public record Traceparent(String traceId, String spanId, boolean isSampled, String state) {
    private static final Pattern TEXT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?: (.+))?");
    /** Number of characters of the header. */
    private static final int HEADER_LENGTH = 55;

    private static final int FLAGS = HEADER_LENGTH - 1;
    private static final int HEX = 16;

    public Traceparent {
        requireNonNull(traceId, "traceId");
        requireNonNull(spanId, "spanId");
        requireNonNull(state, "state");
    }

    /** Parses the header, or a text of both; empty if the text is neither. */
    public static Optional<Traceparent> parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Traceparent(
                        matcher.group(1),
                        matcher.group(2),
                        (Integer.parseInt(matcher.group(3), HEX) & 1) == 1,
                        Optional.ofNullable(matcher.group(4)).orElse("")))
                : Optional.empty();
    }

    /** The context of a span of OpenTelemetry. */
    public static Traceparent of(SpanContext span) {
        String state = span.getTraceState().asMap().entrySet().stream()
                .map(member -> member.getKey() + "=" + member.getValue())
                .collect(Collectors.joining(","));
        return new Traceparent(span.getTraceId(), span.getSpanId(), span.isSampled(), Tracestate.read(state));
    }

    /**
     * Puts a header and a state into one text.
     *
     * @param header a valid header; empty for none
     * @param state as {@link Tracestate#read} returns it; left out without a header
     */
    public static String join(String header, String state) {
        return header.isEmpty() || state.isEmpty() ? header : header + " " + state;
    }

    /** The header in a text of both. */
    public static String headerOf(String joined) {
        return joined.length() <= HEADER_LENGTH ? joined : joined.substring(0, HEADER_LENGTH);
    }

    /** The state in a text of both; empty for none. */
    public static String stateOf(String joined) {
        return joined.length() <= HEADER_LENGTH ? "" : joined.substring(HEADER_LENGTH + 1);
    }

    /**
     * Whether a text that is empty, a header or both names a trace whose spans are kept. Cheap, because it is asked for
     * every job.
     */
    public static boolean isSampled(String text) {
        return text.length() >= HEADER_LENGTH && (Character.digit(text.charAt(FLAGS), HEX) & 1) == 1;
    }

    /** The same trace with another parent. */
    public Traceparent withParent(String id) {
        return new Traceparent(traceId, id, isSampled, state);
    }

    /** The same context with another state; empty for none. */
    public Traceparent withState(String other) {
        return new Traceparent(traceId, spanId, isSampled, other);
    }

    /** The same context for spans that are not kept. */
    public Traceparent unsampled() {
        return new Traceparent(traceId, spanId, false, state);
    }

    /** The header's text. */
    public String header() {
        return "00-" + traceId + "-" + spanId + (isSampled ? "-01" : "-00");
    }

    /** The text of both, or of the header alone if there is no state. */
    public String text() {
        return join(header(), state);
    }
}
