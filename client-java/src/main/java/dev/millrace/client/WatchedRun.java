package dev.millrace.client;

import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a run, over as many streams as it takes. For one thread; {@link #close} may come from any. */
final class WatchedRun implements Iterator<RunEvent>, AutoCloseable {
    private final BlockingCalls calls;
    private final Connection connection;
    private final RunWatch watch;
    private final Optional<Duration> limit;
    private final long begin = System.nanoTime();
    private final Context.CancellableContext context = Context.current().withCancellation();
    private final Following following = new Following();
    private final Attempts attempts;
    private Call<WatchRunRequest, WatchRunResponse, Optional<RunEvent>> call;
    private String token = "";
    private @Nullable Iterator<WatchRunResponse> stream;
    private @Nullable RunEvent next;

    WatchedRun(BlockingCalls calls, Connection connection, RunWatch watch, Optional<Duration> limit) {
        this.calls = calls;
        this.connection = connection;
        this.watch = watch;
        this.limit = limit;
        this.attempts = connection.attempts(Duration.ZERO);
        this.call = watch.after(0);
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            if (context.isCancelled()) {
                return false;
            }
            ClientException error;
            try {
                Iterator<WatchRunResponse> events = stream == null ? open() : stream;
                stream = events;
                if (events.hasNext()) {
                    attempts.progressed();
                    next = call.read()
                            .apply(events.next())
                            .filter(following::isNews)
                            .orElse(null);
                    continue;
                }
                error = new UnavailableException(
                        connection.failure(call, Status.Code.UNAVAILABLE, "The stream ended before the run."));
            } catch (StatusRuntimeException failure) {
                error = connection.error(failure, call);
            }
            if (following.hasEnded()) {
                close();
                return false;
            }
            if (left().filter(time -> time.compareTo(Duration.ZERO) <= 0).isPresent()) {
                close();
                throw connection.stillRuns(call, limit.orElseThrow());
            }
            stream = null;
            calls.pause(call, error, token, attempts);
        }
        return true;
    }

    @Override
    public RunEvent next() {
        RunEvent event = hasNext() ? next : null;
        if (event == null) {
            throw new NoSuchElementException("The run has ended.");
        }
        next = null;
        return event;
    }

    @Override
    public void close() {
        context.cancel(null);
    }

    private Iterator<WatchRunResponse> open() {
        call = watch.after(following.position());
        token = connection.token();
        CallOptions options = left().map(time ->
                        CallOptions.DEFAULT.withDeadlineAfter(Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS))
                .orElse(CallOptions.DEFAULT);
        Context outer = context.attach();
        try {
            return ClientCalls.blockingServerStreamingCall(
                    connection.showing(token), call.method(), options, call.request());
        } finally {
            context.detach(outer);
        }
    }

    private Optional<Duration> left() {
        return limit.map(time -> time.minusNanos(System.nanoTime() - begin));
    }
}
