package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.Problem.FieldError;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.rpc.RequestWorkspace;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Service of one endpoint: checks the names of the query parameters, collects the body unless the endpoint reads it
 * itself, and answers failures with problems.
 */
final class EndpointService implements HttpService {

    private final Endpoint endpoint;
    private final Problems problems;
    private final long requestBytesMax;
    private final BodyMemory bodies;

    EndpointService(Endpoint endpoint, Problems problems, long requestBytesMax, BodyMemory bodies) {
        this.endpoint = endpoint;
        this.problems = problems;
        this.requestBytesMax = requestBytesMax;
        this.bodies = bodies;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        refuseUnknownQuery(context);
        if (endpoint.isUpload()) {
            return answer(context, endpoint.handler().handle(new ApiRequest(context, HttpData.empty())));
        }
        if (request.headers().contentLength() > requestBytesMax) {
            // The header alone decides, before any byte of the body arrives.
            throw new ProblemException(problems.tooLarge());
        }
        return answer(
                context,
                bodies.read(context, request)
                        .thenCompose(body -> endpoint.handler().handle(new ApiRequest(context, body))));
    }

    private HttpResponse answer(ServiceRequestContext context, CompletionStage<HttpResponse> answer) {
        return HttpResponse.of(answer.thenApply(response -> located(context, response))
                .exceptionally(failure -> problems.onServiceException(context, failure)));
    }

    /** Lets the address of a new resource name the workspace if the address of the request did. */
    private static HttpResponse located(ServiceRequestContext context, HttpResponse response) {
        var workspace = context.pathParam(RequestWorkspace.NAME);
        return workspace == null
                ? response
                : response.mapHeaders(headers -> {
                    var location = headers.get(HttpHeaderNames.LOCATION);
                    return location == null
                            ? headers
                            : headers.withMutations(changed ->
                                    changed.set(HttpHeaderNames.LOCATION, Endpoint.inWorkspace(location, workspace)));
                });
    }

    private void refuseUnknownQuery(ServiceRequestContext context) {
        for (var name : context.queryParams().names()) {
            if (!endpoint.query().contains(name) && !endpoint.query().equals(Endpoint.ANY_QUERY)) {
                var known = endpoint.query().isEmpty()
                        ? "this address takes none"
                        : "known here: "
                                + String.join(
                                        ", ", endpoint.query().stream().sorted().toList());
                throw new ProblemException(new Problem(
                        HttpStatus.BAD_REQUEST,
                        "unknown_parameter",
                        "The query has the unknown parameter " + name + " (" + known + ").",
                        List.of(new FieldError(name, "is unknown (" + known + ").")),
                        null));
            }
        }
    }
}
