package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.telemetry.Traceparent;
import dev.millrace.telemetry.Tracestate;
import io.netty.util.AttributeKey;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Id of one request across answers and logs: that of its trace, the caller's if it sent one, else a random one. */
public record TraceId(String value) {
    /** Header with the caller's trace context, as in W3C Trace Context. */
    public static final String HEADER = "traceparent";

    /** W3C Trace Context, version 00: version, trace id, parent id, flags. */
    private static final Pattern TRACEPARENT = Pattern.compile("00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    private static final AttributeKey<TraceId> KEY = AttributeKey.valueOf(TraceId.class, "TRACE_ID");
    private static final AttributeKey<Traceparent> SPAN = AttributeKey.valueOf(TraceId.class, "SPAN");

    /** Returns the id of this request; repeated calls return the same one. */
    public static TraceId of(ServiceRequestContext context) {
        var known = context.attr(KEY);
        if (known != null) {
            return known;
        }
        var trace = of(context.request().headers());
        context.setAttr(KEY, trace);
        return trace;
    }

    static TraceId of(RequestHeaders headers) {
        var matcher = TRACEPARENT.matcher(headers.get(HEADER, ""));
        return matcher.matches() ? new TraceId(matcher.group(1)) : random();
    }

    /** Notes that the request has a span of its own, which becomes the parent of all that follows from the request. */
    public static void continueAs(ServiceRequestContext context, Traceparent span) {
        context.setAttr(SPAN, span);
        context.setAttr(KEY, new TraceId(span.traceId()));
    }

    /** The trace context for calls that serve this request, with its state; empty if there is none. */
    public static String callContext(ServiceRequestContext context) {
        return Optional.ofNullable(context.attr(SPAN))
                .map(Traceparent::text)
                .orElseGet(() -> callers(context.request().headers()));
    }

    /**
     * The trace context of runs that this request starts, with its state; empty if they are not traced. A context that is not sampled
     * is kept only if the caller gave it.
     */
    public static String runContext(ServiceRequestContext context) {
        var span = context.attr(SPAN);
        return span != null && span.isSampled()
                ? span.text()
                : callers(context.request().headers());
    }

    /** Returns the caller's `traceparent` unchanged, and its state; empty if the former is missing or invalid. */
    static String callers(RequestHeaders headers) {
        var value = headers.get(HEADER, "");
        return TRACEPARENT.matcher(value).matches() ? Traceparent.join(value, state(headers)) : "";
    }

    /** Returns the valid part of the caller's `tracestate`, which may be in several headers; empty for none. */
    public static String state(RequestHeaders headers) {
        return headers.contains(Tracestate.HEADER)
                ? Tracestate.read(String.join(",", headers.getAll(Tracestate.HEADER)))
                : "";
    }

    static TraceId random() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return new TraceId(hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong()));
    }
}
