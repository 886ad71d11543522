package dev.millrace.gateway.http;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemDocument;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.gateway.problem.Problems;
import dev.millrace.gateway.problem.TraceId;
import dev.millrace.gateway.rpc.Scheduler;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Opens a limited number of event streams, and breaks them off when the gateway stops. Thread-safe. */
public final class EventStreams implements AutoCloseable {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Scheduler scheduler;
    private final Problems problems;
    private final Duration keepAliveInterval;
    private final int streamsMax;
    private final Set<EventStream<?>> open = ConcurrentHashMap.newKeySet();

    public EventStreams(Scheduler scheduler, Problems problems, Duration keepAliveInterval, int streamsMax) {
        this.scheduler = scheduler;
        this.problems = problems;
        this.keepAliveInterval = keepAliveInterval;
        this.streamsMax = streamsMax;
    }

    /** Time at which a stream's headers are sent. */
    public enum Opening {
        /** With the first event, so that a rejection can still be a problem answer. */
        WITH_FIRST_EVENT,
        /** Immediately; the caller has checked that the subject of the stream exists. */
        AT_ONCE
    }

    /** Streams the answers of this call as events, until the call ends or the reader disconnects. */
    public <Q, A> CompletionStage<HttpResponse> open(
            ApiRequest request,
            MethodDescriptor<Q, A> method,
            Q message,
            Opening opening,
            Function<A, ServerEvent> mapping) {
        return open(request, method, message, opening, new ServerEvents<>(mapping));
    }

    /** Streams the answers of this call as JSON, one value a line. If the call fails, the connection breaks. */
    public <Q, A> CompletionStage<HttpResponse> lines(
            ApiRequest request, MethodDescriptor<Q, A> method, Q message, Function<A, ByteString> mapping) {
        return open(request, method, message, Opening.WITH_FIRST_EVENT, new JsonLines<>(mapping));
    }

    /**
     * Streams the bytes in the answers of this call, under the given headers. If the call fails after the first answer, the
     * connection breaks.
     */
    public <Q, A> CompletionStage<HttpResponse> bytes(
            ApiRequest request,
            MethodDescriptor<Q, A> method,
            Q message,
            ResponseHeaders headers,
            Function<A, ByteString> mapping) {
        return open(request, method, message, Opening.WITH_FIRST_EVENT, new PlainBytes<>(headers, mapping));
    }

    /**
     * Streams the messages of a source as events. The headers are sent with the first one.
     *
     * @param source opens the call from which the listener receives messages
     */
    public <A> CompletionStage<HttpResponse> open(
            ApiRequest request,
            Function<ClientCall.Listener<A>, ClientCall<?, A>> source,
            Function<A, ServerEvent> mapping) {
        return open(request, source, Opening.WITH_FIRST_EVENT, new ServerEvents<>(mapping));
    }

    private <Q, A> CompletionStage<HttpResponse> open(
            ApiRequest request, MethodDescriptor<Q, A> method, Q message, Opening opening, Framing<A> framing) {
        return open(
                request,
                (ClientCall.Listener<A> listener) -> scheduler.stream(request.context(), method, message, listener),
                opening,
                framing);
    }

    private <A> CompletionStage<HttpResponse> open(
            ApiRequest request,
            Function<ClientCall.Listener<A>, ClientCall<?, A>> source,
            Opening opening,
            Framing<A> framing) {
        if (open.size() >= streamsMax) {
            throw tooMany();
        }
        var context = request.context();
        context.clearRequestTimeout();
        var stream = new EventStream<>(
                framing,
                failure -> problems.of(context, failure),
                problem -> ProblemDocument.bytes(problem, TraceId.of(context)),
                () -> disconnect(context));
        open.add(stream);
        var keepAlive = context.eventLoop()
                .scheduleAtFixedRate(
                        stream::keepAlive,
                        keepAliveInterval.toMillis(),
                        keepAliveInterval.toMillis(),
                        TimeUnit.MILLISECONDS);
        var _ = stream.whenEnded().whenComplete((_, _) -> {
            keepAlive.cancel(false);
            open.remove(stream);
            stream.leave();
        });
        if (opening == Opening.AT_ONCE) {
            stream.openNow();
        }
        stream.begin(source.apply(stream));
        return stream.response();
    }

    /** Closes the connection, except for HTTP/2: there other streams may share it, and only this one ends. */
    private static void disconnect(ServiceRequestContext context) {
        var channel = context.log().partial().channel();
        if (channel != null && !context.sessionProtocol().isMultiplex()) {
            var _ = channel.close();
        }
    }

    private ProblemException tooMany() {
        return new ProblemException(new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "too_many_streams",
                "There are " + streamsMax + " open event streams, as many as the gateway keeps"
                        + " (millrace.gateway.streams-max). Close one, or raise the limit.",
                List.of(),
                RETRY_AFTER));
    }

    @Override
    public void close() {
        open.forEach(EventStream::breakOff);
    }
}
