package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.json.JsonWriter;
import java.time.Duration;

/** Writes problems as RFC 9457 documents. */
public final class ProblemDocument {

    public static final MediaType MEDIA_TYPE = MediaType.create("application", "problem+json");

    /** Prefix of a problem's type, followed by its code: a name, not an address to fetch. */
    static final String TYPE_PREFIX = "urn:millrace:problem:";

    /** How callers say who they are, RFC 6750. */
    private static final String CHALLENGE = "Bearer realm=\"millrace\"";

    private static final Duration ALMOST_ONE_SECOND = Duration.ofSeconds(1).minusNanos(1);

    private ProblemDocument() {}

    public static byte[] bytes(Problem problem, TraceId trace) {
        return JsonWriter.object(json -> {
            json.text("type", TYPE_PREFIX + problem.code());
            json.text("title", problem.status().reasonPhrase());
            json.integer("status", problem.status().code());
            json.text("detail", problem.detail());
            json.text("code", problem.code());
            json.array("errors", problem.errors(), (item, error) -> {
                item.text("field", error.field());
                item.text("message", error.message());
            });
            json.text("trace_id", trace.value());
        });
    }

    public static AggregatedHttpResponse response(Problem problem, TraceId trace) {
        var headers = ResponseHeaders.builder(problem.status())
                .contentType(MEDIA_TYPE)
                .set("cache-control", "no-store");
        var retryAfter = problem.retryAfter();
        if (retryAfter != null) {
            // The header counts whole seconds: rounded up, so that callers do not return too early.
            long seconds = retryAfter.plus(ALMOST_ONE_SECOND).toSeconds();
            headers.setLong(HttpHeaderNames.RETRY_AFTER, Math.max(1, seconds));
        }
        if (problem.status().equals(HttpStatus.UNAUTHORIZED)) {
            headers.set(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
        }
        return AggregatedHttpResponse.of(headers.build(), HttpData.wrap(bytes(problem, trace)));
    }
}
