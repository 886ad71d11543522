package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Guard that refuses requests which a proxy in front, or a reader of its log, may understand differently: with several hosts,
 * with empty parts of the path or parameters in it, which the HTTP server takes off before it looks for the address, and with
 * compressed bodies.
 */
final class AmbiguityGuard extends SimpleDecoratingHttpService {

    private static final List<String> AMBIGUOUS = List.of("//", ";");

    private static final String PLAIN = "identity";

    AmbiguityGuard(HttpService delegate) {
        super(delegate);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        var headers = request.headers();
        if (hosts(headers) > 1) {
            throw refusal(
                    HttpStatus.BAD_REQUEST,
                    "ambiguous_host",
                    "The request names several hosts. Send one header Host, the same as in :authority.");
        }
        if (AMBIGUOUS.stream().anyMatch(path(context)::contains)) {
            throw refusal(
                    HttpStatus.BAD_REQUEST,
                    "ambiguous_path",
                    "The path has an empty part (//) or parameters that begin with a semicolon, which no address here takes. Leave them"
                            + " out, or write %3B for a semicolon.");
        }
        // A webhook may sign what it has compressed, and its own rules say what it may send.
        if (!context.path().startsWith(Endpoint.HOOKS) && !isPlain(headers)) {
            throw refusal(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_media_type",
                    "The body is compressed (Content-Encoding: " + headers.get(HttpHeaderNames.CONTENT_ENCODING)
                            + "). Send it as it is.");
        }
        return unwrap().serve(context, request);
    }

    /** The path as it was sent, without the query. */
    private static String path(ServiceRequestContext context) {
        var sent = context.routingContext().requestTarget().rawPath();
        return sent == null ? context.path() : sent.split("\\?", 2)[0];
    }

    private static long hosts(RequestHeaders headers) {
        var named = headers.getAll(HttpHeaderNames.HOST);
        long distinct = Stream.concat(named.stream(), headers.getAll(HttpHeaderNames.AUTHORITY).stream())
                .distinct()
                .count();
        return Math.max(distinct, named.size());
    }

    private static boolean isPlain(RequestHeaders headers) {
        return headers.get(HttpHeaderNames.CONTENT_ENCODING, PLAIN).equalsIgnoreCase(PLAIN);
    }

    private static ProblemException refusal(HttpStatus status, String code, String detail) {
        return new ProblemException(Problem.of(status, code, detail));
    }
}
