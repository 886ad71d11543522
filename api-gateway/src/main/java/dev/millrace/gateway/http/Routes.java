package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.memory.MemoryPart;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** All endpoints of a server with their addresses, and the answer to every other address. */
public final class Routes {

    private static final String ELSEWHERE = "none";

    /** Addresses at which programs look, also those that take HTML. */
    private static final List<String> FOR_PROGRAMS = List.of("/api/", "/assets/", Endpoint.HOOKS);

    private final List<Endpoint> endpoints;
    private final Function<RequestHeaders, HttpResponse> strayPage;

    /** @param strayPage what browsers get that ask for a page at an address without one */
    public Routes(List<Endpoint> endpoints, Function<RequestHeaders, HttpResponse> strayPage) {
        this.endpoints = List.copyOf(endpoints);
        this.strayPage = strayPage;
    }

    /**
     * Adds the endpoints, with the guards in front of them, to a server.
     *
     * @param bodies memory of request bodies
     * @param site names under which browsers know the gateway
     * @param timed wraps the service of a route, to count and time its requests
     */
    public void configure(
            ServerBuilder server,
            Problems problems,
            long requestBytesMax,
            MemoryPart bodies,
            Site site,
            BiFunction<String, HttpService, HttpService> timed) {
        var bodyMemory = new BodyMemory(bodies);
        for (var endpoint : endpoints) {
            var service = new EndpointService(endpoint, problems, requestBytesMax, bodyMemory);
            var timedService = timed.apply(endpoint.path(), service);
            endpoint.routes().forEach(route -> {
                var binding = server.route().addRoute(route);
                if (endpoint.isUpload()) {
                    binding.maxRequestLength(0).requestTimeout(Duration.ZERO);
                }
                binding.build(timedService);
            });
        }
        // All other addresses share one name, so that strangers cannot create series of metrics.
        server.serviceUnder("/", timed.apply(ELSEWHERE, this::answerElsewhere));
        server.decorator(delegate -> new BrowserGuard(delegate, site));
        server.decorator(AmbiguityGuard::new);
        SecurityHeaders.ALL.forEach((name, value) -> server.addHeader(name, value));
    }

    private HttpResponse answerElsewhere(ServiceRequestContext context, HttpRequest request) {
        if (isForPage(request.headers()) && methodsAt(context.routingContext()).isEmpty()) {
            return strayPage.apply(request.headers());
        }
        throw new ProblemException(elsewhere(context));
    }

    private static boolean isForPage(RequestHeaders request) {
        return request.method() == HttpMethod.GET
                && request.get(HttpHeaderNames.ACCEPT, "").contains("text/html")
                && FOR_PROGRAMS.stream().noneMatch(request.path()::startsWith);
    }

    private Problem elsewhere(ServiceRequestContext context) {
        var methods = methodsAt(context.routingContext());
        if (methods.isEmpty()) {
            return Problem.of(
                    HttpStatus.NOT_FOUND,
                    "no_such_address",
                    "There is nothing at " + context.path() + ". All addresses are described at /docs.");
        }
        return Problem.of(
                HttpStatus.METHOD_NOT_ALLOWED,
                "method_not_allowed",
                context.method() + " is not possible at " + context.path() + " (possible: "
                        + String.join(
                                ", ", methods.stream().map(HttpMethod::name).toList()) + ").");
    }

    private List<HttpMethod> methodsAt(RoutingContext context) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.isAt(context))
                .map(Endpoint::method)
                .distinct()
                .toList();
    }
}
