package dev.millrace.telemetry;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Trace context as in W3C's {@code traceparent} header, version 00.
 *
 * @param traceId 32 hexadecimal digits, not all zero
 * @param spanId the parent of the spans to come, 16 hexadecimal digits, not all zero
 * @param isSampled whether the spans of the trace are kept
 */
public record Traceparent(String traceId, String spanId, boolean isSampled) {
    private static final Pattern TEXT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})");
    private static final int HEX = 16;

    /** Parses the header; empty if the text is none. */
    public static Optional<Traceparent> parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Traceparent(
                        matcher.group(1), matcher.group(2), (Integer.parseInt(matcher.group(3), HEX) & 1) == 1))
                : Optional.empty();
    }

    /**
     * Whether a text that is empty or a {@code traceparent} names a trace whose spans are kept. Cheap, because it is
     * asked for every job.
     */
    public static boolean isSampled(String traceparent) {
        return !traceparent.isEmpty() && (Character.digit(traceparent.charAt(traceparent.length() - 1), HEX) & 1) == 1;
    }

    /** The same trace with another parent. */
    public Traceparent withParent(String id) {
        return new Traceparent(traceId, id, isSampled);
    }

    /** The same context for spans that are not kept. */
    public Traceparent unsampled() {
        return new Traceparent(traceId, spanId, false);
    }

    /** The header's text. */
    public String text() {
        return "00-" + traceId + "-" + spanId + (isSampled ? "-01" : "-00");
    }
}
