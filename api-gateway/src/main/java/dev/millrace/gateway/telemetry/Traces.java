package dev.millrace.gateway.telemetry;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.TraceId;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.telemetry.Traceparent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;

/**
 * Traces requests: those whose callers send a trace context, and those that change something. All others would only make
 * noise, such as polls. The scheduler's part of a request becomes a child of its span. Thread-safe.
 */
public final class Traces implements AutoCloseable {
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private static final int SERVER_ERROR_MIN = 500;

    private final Telemetry telemetry;

    public Traces(Telemetry telemetry) {
        this.telemetry = telemetry;
    }

    /** Wraps a service to trace its requests under this route. */
    public HttpService traced(String route, HttpService service) {
        return telemetry.isOn() ? new Traced(route, service) : service;
    }

    @Override
    public void close() {
        telemetry.close();
    }

    private final class Traced implements HttpService {
        private final String route;
        private final HttpService service;

        Traced(String route, HttpService service) {
            this.route = route;
            this.service = service;
        }

        @Override
        public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
            if (isTraced(request)) {
                begin(context, request);
            }
            return service.serve(context, request);
        }

        private void begin(ServiceRequestContext context, HttpRequest request) {
            Span span = telemetry
                    .tracer()
                    .spanBuilder(request.method() + " " + route)
                    .setParent(
                            Telemetry.parent(request.headers().get(TraceId.HEADER), TraceId.state(request.headers())))
                    .setSpanKind(SpanKind.SERVER)
                    .setAttribute(METHOD, request.method().name())
                    .setAttribute(ROUTE, route)
                    .setAttribute(PATH, context.path())
                    .setAttribute(SCHEME, context.sessionProtocol().isTls() ? "https" : "http")
                    .startSpan();
            TraceId.continueAs(context, Traceparent.of(span.getSpanContext()));
            var _ = context.log().whenComplete().thenAccept(log -> end(span, log));
        }
    }

    private static boolean isTraced(HttpRequest request) {
        return request.headers().contains(TraceId.HEADER)
                || (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD);
    }

    private static void end(Span span, RequestLog log) {
        int status = log.responseStatus().code();
        span.setAttribute(STATUS, (long) status);
        if (status >= SERVER_ERROR_MIN) {
            span.setAttribute(ERROR, Integer.toString(status));
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
