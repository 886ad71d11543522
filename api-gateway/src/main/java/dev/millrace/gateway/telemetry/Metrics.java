package dev.millrace.gateway.telemetry;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.memory.MemoryPart;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Metrics of requests, by route and status, and of the JVM, in Prometheus's text format. Thread-safe. */
public final class Metrics {

    private static final String REQUESTS = "millrace.http.requests";
    private static final MediaType TEXT_FORMAT = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** @param memory parts of the memory budget, whose use is reported */
    public Metrics(List<MemoryPart> memory) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        memory.forEach(this::tell);
    }

    private void tell(MemoryPart part) {
        Gauge.builder("millrace.memory.reserved", part, MemoryPart::reservedBytes)
                .description("Bytes of requests or answers that the gateway holds")
                .baseUnit("bytes")
                .tag("part", part.name())
                .register(registry);
        Gauge.builder("millrace.memory.limit", part, MemoryPart::limitBytes)
                .description("Bytes that the gateway may hold")
                .baseUnit("bytes")
                .tag("part", part.name())
                .register(registry);
        FunctionCounter.builder("millrace.memory.refusals", part, MemoryPart::refusals)
                .description("Requests or answers for which there was no room")
                .tag("part", part.name())
                .register(registry);
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get(
                "/metrics",
                Set.of(),
                _ -> CompletableFuture.completedFuture(
                        HttpResponse.of(HttpStatus.OK, TEXT_FORMAT, registry.scrape()))));
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
        Timer.builder(REQUESTS)
                .description("HTTP requests, by route and status")
                .tag("method", log.requestHeaders().method().name())
                .tag("route", route)
                .tag("status", Integer.toString(log.responseStatus().code()))
                .register(registry)
                .record(log.totalDurationNanos(), TimeUnit.NANOSECONDS);
    }
}
