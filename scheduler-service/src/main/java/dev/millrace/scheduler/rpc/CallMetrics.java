package dev.millrace.scheduler.rpc;

import dev.millrace.metrics.Buckets;
import dev.millrace.metrics.DurationHistogram;
import dev.millrace.metrics.Metrics;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Optional;

/** Counts calls by their outcome, and times those with one request and one answer. Messages of streams cost nothing. */
public final class CallMetrics implements ServerInterceptor {
    private static final Metadata.Key<String> TRACEPARENT =
            Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

    private final Counter calls;
    private final DurationHistogram durations;

    public CallMetrics(Metrics metrics) {
        calls = metrics.counter(
                "millrace_grpc_calls_total",
                "Calls and streams that have ended, by method and status; RESOURCE_EXHAUSTED counts refusals",
                "method",
                "status");
        durations = metrics.durations(
                "millrace_grpc_call_duration_seconds",
                "Time to answer a call that is no stream",
                Buckets.CALLS,
                "method");
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        boolean isTimed = call.getMethodDescriptor().getType().clientSendsOneMessage()
                && call.getMethodDescriptor().getType().serverSendsOneMessage();
        String traceparent = Optional.ofNullable(headers.get(TRACEPARENT)).orElse("");
        long began = System.nanoTime();
        return next.startCall(
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        super.close(status, trailers);
                        calls.labelValues(method, status.getCode().name()).inc();
                        if (isTimed) {
                            durations.observe(System.nanoTime() - began, traceparent, method);
                        }
                    }
                },
                headers);
    }
}
