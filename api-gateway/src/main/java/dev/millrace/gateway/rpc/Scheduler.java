package dev.millrace.gateway.rpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.memory.MemoryPart;
import dev.millrace.tls.ChannelSecurity;
import dev.millrace.tls.ClientTls;
import dev.millrace.tls.SchedulerTargets;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Client of the scheduler. Each call ends with the HTTP request that caused it, at the latest.
 *
 * <p>A scheduler takes only so many calls on a connection, and further ones wait there. So streams, uploads and calls that wait for
 * something have a channel of their own: whoever opens many of them holds up only others like them.
 *
 * <p>Thread-safe: the channels are, and the time of the last reset is atomic.
 */
public final class Scheduler implements AutoCloseable {

    /** After this time of silence a connection is pinged, to find one that is half-open. gRPC accepts no less. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** If a ping is not answered within this time, the connection is closed and its calls fail. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(4);

    /** Interval of attempts to reconnect; gRPC's own backoff grows to two minutes. */
    private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(1);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final ManagedChannel channel;
    /** For calls that take long. */
    private final ManagedChannel patient;

    private final ChannelSecurity security;
    private final Duration timeout;
    private final MemoryPart answers;
    private final CallHeaders headers;
    private final AtomicLong lastResetNanos = new AtomicLong(System.nanoTime() - RECONNECT_INTERVAL.toNanos());

    private Scheduler(
            ManagedChannel channel,
            ManagedChannel patient,
            ChannelSecurity security,
            Duration timeout,
            MemoryPart answers,
            CallHeaders headers) {
        this.channel = channel;
        this.patient = patient;
        this.security = security;
        this.timeout = timeout;
        this.answers = answers;
        this.headers = headers;
    }

    /**
     * Creates a client that connects on first use; the scheduler may start later.
     *
     * @param tls TLS of the connection; empty means plain text
     * @param answers memory for answers that pass through the gateway
     * @param headers what the scheduler learns of callers
     */
    public static Scheduler at(
            String target,
            Optional<ClientTls> tls,
            Duration timeout,
            int responseBytesMax,
            MemoryPart answers,
            CallHeaders headers) {
        var security = ChannelSecurity.open(tls);
        int messageBytesMax = (int) Math.min(responseBytesMax, answers.reservationBytesMax());
        return new Scheduler(
                channel(target, security, messageBytesMax),
                channel(target, security, messageBytesMax),
                security,
                timeout,
                answers,
                headers);
    }

    private static ManagedChannel channel(String target, ChannelSecurity security, int messageBytesMax) {
        return security.protect(SchedulerTargets.balancedChannel(target))
                .maxInboundMessageSize(messageBytesMax)
                .keepAliveTime(PING_INTERVAL.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .build();
    }

    /** Calls a method with the usual time limit. */
    public <Q, A> CompletableFuture<A> call(ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request) {
        return call(context, method, request, Duration.ZERO);
    }

    /** Calls a method with this much time in addition to the usual limit. Fails with a gRPC status exception. */
    public <Q, A> CompletableFuture<A> call(
            ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request, Duration extra) {
        return call(context, method, request, extra, headers.of(context));
    }

    /**
     * Calls a method with another credential than that of the request.
     *
     * @param token the token to show; absent to show none
     */
    public <Q, A> CompletableFuture<A> callAs(
            Optional<String> token, ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request) {
        return call(context, method, request, Duration.ZERO, headers.of(context, token));
    }

    /** Calls a method without a credential, with this much time in addition to the usual limit. */
    public <Q, A> CompletableFuture<A> callWithoutCredential(
            ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request, Duration extra) {
        return call(context, method, request, extra, headers.of(context, Optional.empty()));
    }

    private <Q, A> CompletableFuture<A> call(
            ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request, Duration extra, Metadata shown) {
        var limit = timeout.plus(extra);
        var answer = new CompletableFuture<A>();
        var call = open(
                extra.isPositive() ? patient : channel,
                context,
                method,
                CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS));
        call.start(new SingleAnswer<>(answer), shown);
        send(call, RequestWorkspace.of(context, request));
        // Two, although one message is expected: gRPC then delivers the end, too.
        call.request(2);
        return answer;
    }

    /**
     * Opens a stream without a time limit. The listener gets no message until {@link ClientCall#request} requests it.
     */
    public <Q, A> ClientCall<Q, A> stream(
            ServiceRequestContext context, MethodDescriptor<Q, A> method, Q request, ClientCall.Listener<A> listener) {
        var call = open(patient, context, method, CallOptions.DEFAULT);
        call.start(listener, headers.of(context));
        send(call, RequestWorkspace.of(context, request));
        return call;
    }

    /** Who sends a request, for {@link #feed}. */
    public Caller caller(ServiceRequestContext context) {
        return headers.caller(context);
    }

    /**
     * Opens a stream that belongs to no single request: it ends when it is canceled. The listener gets no message until
     * {@link ClientCall#request} requests it.
     *
     * @param request with the workspace
     */
    public <Q, A> ClientCall<Q, A> feed(
            Caller caller, MethodDescriptor<Q, A> method, Q request, ClientCall.Listener<A> listener) {
        reconnectSoon(patient);
        var memory = new AnswerMemory(answers);
        var call = memory.of(patient.newCall(method, memory.counting(CallOptions.DEFAULT)));
        var releasing = new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
                memory.close();
                super.onClose(status, trailers);
            }
        };
        call.start(releasing, headers.of(caller));
        send(call, request);
        return call;
    }

    /**
     * Opens a stream of requests without a time limit, for one answer. The caller sends the requests, each with the
     * workspace of the address ({@link RequestWorkspace#of}).
     */
    public <Q, A> ClientCall<Q, A> upload(
            ServiceRequestContext context, MethodDescriptor<Q, A> method, ClientCall.Listener<A> listener) {
        var call = open(patient, context, method, CallOptions.DEFAULT);
        call.start(listener, headers.of(context));
        // Two, although one message is expected: gRPC then delivers the end, too.
        call.request(2);
        return call;
    }

    private <Q, A> ClientCall<Q, A> open(
            ManagedChannel on, ServiceRequestContext context, MethodDescriptor<Q, A> method, CallOptions options) {
        reconnectSoon(on);
        var memory = new AnswerMemory(answers);
        var call = memory.of(on.newCall(method, memory.counting(options)));
        // Runs at any end of the HTTP request, also when the caller disconnects; has no effect after the call's own
        // end.
        var _ = context.log().whenComplete().thenRun(() -> {
            call.cancel("The HTTP request has ended.", null);
            memory.close();
        });
        return new RecognizingCall<>(context, method, call);
    }

    private static <Q> void send(ClientCall<Q, ?> call, Q request) {
        call.sendMessage(request);
        call.halfClose();
    }

    private void reconnectSoon(ManagedChannel on) {
        if (on.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
            return;
        }
        long now = System.nanoTime();
        long last = lastResetNanos.get();
        if (now - last >= RECONNECT_INTERVAL.toNanos() && lastResetNanos.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
            patient.resetConnectBackoff();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        patient.shutdownNow();
        security.close();
        try {
            channel.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            patient.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class SingleAnswer<A> extends ClientCall.Listener<A> {

        private final CompletableFuture<A> future;
        private @Nullable A message;

        SingleAnswer(CompletableFuture<A> future) {
            this.future = future;
        }

        @Override
        public void onMessage(A answer) {
            message = answer;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            var answer = message;
            if (!status.isOk()) {
                future.completeExceptionally(status.asRuntimeException(trailers));
            } else if (answer == null) {
                future.completeExceptionally(
                        Status.INTERNAL.withDescription("No message.").asRuntimeException());
            } else {
                future.complete(answer);
            }
        }
    }
}
