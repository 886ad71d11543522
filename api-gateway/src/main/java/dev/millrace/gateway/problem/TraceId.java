package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Id of one request across answers and logs: the caller's W3C trace id if it sent one, else a random one. */
public record TraceId(String value) {

    /** W3C Trace Context, version 00: version, trace id, parent id, flags. */
    private static final Pattern TRACEPARENT = Pattern.compile("00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    private static final AttributeKey<TraceId> KEY = AttributeKey.valueOf(TraceId.class, "TRACE_ID");

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
        var matcher = TRACEPARENT.matcher(headers.get("traceparent", ""));
        return matcher.matches() ? new TraceId(matcher.group(1)) : random();
    }

    /** Returns the caller's `traceparent` unchanged; empty if it is missing or invalid. */
    public static String traceparent(RequestHeaders headers) {
        var value = headers.get("traceparent", "");
        return TRACEPARENT.matcher(value).matches() ? value : "";
    }

    static TraceId random() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return new TraceId(hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong()));
    }
}
