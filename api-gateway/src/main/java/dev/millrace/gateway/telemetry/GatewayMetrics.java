package dev.millrace.gateway.telemetry;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.memory.MemoryPart;
import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.Metrics;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Metrics of the gateway: its requests, by route and status, and its memory. It serves the page of the whole process.
 * Thread-safe.
 */
public final class GatewayMetrics {
    private static final String TRACEPARENT = "traceparent";

    private final Metrics metrics;
    private final DurationHistogram requests;

    /** @param memory parts of the memory budget, whose use is reported */
    public GatewayMetrics(Metrics metrics, List<MemoryPart> memory) {
        this.metrics = metrics;
        this.requests = metrics.durations(
                "millrace_http_request_duration_seconds",
                "Time from the first byte of an HTTP request to the last byte of its answer",
                Buckets.CALLS,
                "method",
                "route",
                "status");
        List<String> part = List.of("part");
        metrics.gauges(
                "millrace_gateway_memory_reserved_bytes",
                "Bytes of requests and answers that the gateway holds",
                part,
                points -> memory.forEach(each -> points.add(each.reservedBytes(), each.name())));
        metrics.gauges(
                "millrace_gateway_memory_limit_bytes",
                "Bytes of requests and answers that the gateway may hold",
                part,
                points -> memory.forEach(each -> points.add(each.limitBytes(), each.name())));
        metrics.counters(
                "millrace_gateway_memory_refusals_total",
                "Requests and answers for which the gateway had no room",
                part,
                points -> memory.forEach(each -> points.add(each.refusals(), each.name())));
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get(
                "/metrics",
                Set.of(),
                // Metrics of the database may be read anew, which takes a moment.
                call -> CompletableFuture.supplyAsync(
                        () -> answer(
                                metrics.page(call.context().request().headers().get(HttpHeaderNames.ACCEPT, ""))),
                        call.context().blockingTaskExecutor())));
    }

    private static HttpResponse answer(Metrics.Page page) {
        return HttpResponse.of(HttpStatus.OK, MediaType.parse(page.contentType()), page.text());
    }

    /** Wraps a service to count and time its requests under this route. */
    public HttpService timed(String route, HttpService service) {
        return new HttpService() {
            @Override
            public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
                var _ = context.log().whenComplete().thenAccept(log -> record(route, log));
                return service.serve(context, request);
            }
        };
    }

    private void record(String route, RequestLog log) {
        requests.observe(
                log.totalDurationNanos(),
                log.requestHeaders().get(TRACEPARENT, ""),
                log.requestHeaders().method().name(),
                route,
                Integer.toString(log.responseStatus().code()));
    }
}
