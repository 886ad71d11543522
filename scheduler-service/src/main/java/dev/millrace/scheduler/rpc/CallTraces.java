package dev.millrace.scheduler.rpc;

import dev.millrace.telemetry.Telemetry;
import dev.millrace.telemetry.Traceparent;
import dev.millrace.telemetry.Tracestate;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Optional;

/**
 * Traces unary calls: those whose callers send a trace context, and those that submit a run. All others would only make
 * noise, such as polls for results.
 */
public final class CallTraces implements ServerInterceptor {
    private static final Context.Key<Traceparent> KEY = Context.key("millrace.trace");
    private static final Metadata.Key<String> TRACEPARENT =
            Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> TRACESTATE =
            Metadata.Key.of(Tracestate.HEADER, Metadata.ASCII_STRING_MARSHALLER);
    /** The method that submits a run. Runs that are submitted together are traced one by one, if at all. */
    private static final String SUBMITTING = "SubmitRun";

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("rpc.service");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("rpc.grpc.status_code");

    private final Telemetry telemetry;

    CallTraces(Telemetry telemetry) {
        this.telemetry = telemetry;
    }

    /** The span of the call that this thread serves, sampled or not; empty if the call is not traced. */
    public static Optional<Traceparent> current() {
        return Optional.ofNullable(KEY.get());
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        MethodDescriptor<Q, A> method = call.getMethodDescriptor();
        if (!telemetry.isOn() || !isTraced(method, headers)) {
            return next.startCall(call, headers);
        }
        Span span = start(method, headers);
        Context context = Context.current().withValue(KEY, Traceparent.of(span.getSpanContext()));
        return Contexts.interceptCall(context, new TracedCall<>(call, span), headers, next);
    }

    private static boolean isTraced(MethodDescriptor<?, ?> method, Metadata headers) {
        return method.getType() == MethodDescriptor.MethodType.UNARY
                && (headers.containsKey(TRACEPARENT) || SUBMITTING.equals(method.getBareMethodName()));
    }

    private Span start(MethodDescriptor<?, ?> method, Metadata headers) {
        return telemetry
                .tracer()
                .spanBuilder(method.getFullMethodName())
                .setParent(Telemetry.parent(headers.get(TRACEPARENT), state(headers)))
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(SYSTEM, "grpc")
                .setAttribute(SERVICE, String.valueOf(method.getServiceName()))
                .setAttribute(METHOD, String.valueOf(method.getBareMethodName()))
                .startSpan();
    }

    /** The valid part of the caller's {@code tracestate}, which may be in several headers; empty for none. */
    private static String state(Metadata headers) {
        Iterable<String> given = headers.getAll(TRACESTATE);
        return given == null ? "" : Tracestate.read(String.join(",", given));
    }

    /** Ends the span with the call. */
    private static final class TracedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Span span;

        TracedCall(ServerCall<Q, A> call, Span span) {
            super(call);
            this.span = span;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            span.setAttribute(STATUS, (long) status.getCode().value());
            switch (status.getCode()) {
                // The codes that the semantic conventions count as failures of a server.
                case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                    span.setStatus(StatusCode.ERROR, String.valueOf(status.getDescription()));
                default -> {}
            }
            span.end();
            super.close(status, trailers);
        }
    }
}
