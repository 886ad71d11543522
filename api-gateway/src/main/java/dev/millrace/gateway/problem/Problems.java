package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every failure with a problem document, whether it comes from a resource, the scheduler or the HTTP server.
 */
public final class Problems implements ServerErrorHandler {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private final StatusProblems statuses;
    private final long requestBytesMax;

    public Problems(StatusProblems statuses, long requestBytesMax) {
        this.statuses = statuses;
        this.requestBytesMax = requestBytesMax;
    }

    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        return ProblemDocument.response(of(context, cause), TraceId.of(context)).toHttpResponse();
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        var trace = headers == null ? TraceId.random() : TraceId.of(headers);
        var text = description == null ? "The request is not valid HTTP." : description;
        return ProblemDocument.response(ofStatus(status, text), trace);
    }

    /** Returns the problem for a failure. Unexpected failures are logged here, once. */
    public Problem of(ServiceRequestContext context, Throwable failure) {
        return switch (Exceptions.peel(failure)) {
            case ProblemException e -> e.problem();
            case StatusRuntimeException e -> statuses.problem(e);
            case StatusException e -> statuses.problem(e);
            case ContentTooLargeException _ -> tooLarge();
            case HttpStatusException e ->
                ofStatus(e.httpStatus(), e.httpStatus().reasonPhrase());
            case RequestTimeoutException _ ->
                ofStatus(HttpStatus.SERVICE_UNAVAILABLE, "The request was not complete in time.");
            case ClosedSessionException _,
                    AbortedStreamException _,
                    CancelledSubscriptionException _,
                    ResponseCompleteException _ ->
                ofStatus(StatusProblems.CLIENT_CLOSED_REQUEST, "The caller went away.");
            case Throwable unexpected -> {
                log.atError()
                        .addKeyValue("trace_id", TraceId.of(context).value())
                        .addKeyValue("path", context.path())
                        .setCause(unexpected)
                        .log("Request failed in the gateway");
                yield Problem.of(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "internal",
                        "The gateway failed to handle the request. Its log says why: search it for the trace id.");
            }
        };
    }

    /** Returns the problem of a body over the limit. */
    public Problem tooLarge() {
        return Problem.of(
                HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                "body_too_large",
                "The body is larger than " + requestBytesMax
                        + " bytes (millrace.gateway.request-bytes-max). Send less, or raise the limit.");
    }

    private Problem ofStatus(HttpStatus status, String detail) {
        if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)) {
            return tooLarge();
        }
        var code = status.reasonPhrase().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        return Problem.of(status, code, detail);
    }
}
