package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.problem.Problem;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts one gRPC stream into one streamed answer, such as server-sent events.
 *
 * <p>If many bytes wait for the socket, it requests the next message only when an earlier one has been sent. So a slow reader
 * holds at most {@link Framing#window} messages here beyond these bytes, and gRPC's flow control stops the scheduler. A failure before the first event is an
 * ordinary problem answer. Readers can tell a successful end from a failure and from a broken connection; the
 * {@link Framing} says how.
 *
 * <p>Thread-safety: gRPC calls the listener from one thread at a time; the writer is thread-safe.
 */
final class EventStream<A> extends ClientCall.Listener<A> {

    /**
     * If no more bytes than this wait for a reader, further messages are requested, and the reader may take nothing for any
     * time.
     */
    private static final long UNREAD_BYTES_MAX = 64 << 10;

    private final Framing<A> framing;
    private final Function<Throwable, Problem> problems;
    private final Function<Problem, byte[]> documents;
    /** Drops the data that would otherwise wait for the reader in the connection. */
    private final Runnable disconnect;

    private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
    private final JoiningWriter writer = new JoiningWriter(this::sent);
    /** Number of messages that are to be requested once the reader has taken more. */
    private final AtomicInteger owed = new AtomicInteger();

    private final AtomicInteger unsentEvents = new AtomicInteger();
    private final AtomicLong unsentBytes = new AtomicLong();
    private final AtomicLong sentEvents = new AtomicLong();
    /** Number of events sent by the time of the previous look; used only by the thread that keeps the stream alive. */
    private long sentAtLastLook;
    /** Time of the last look that found events sent since the one before; used by the same thread. */
    private long progressNanos = System.nanoTime();

    private @Nullable ClientCall<?, A> call;

    EventStream(
            Framing<A> framing,
            Function<Throwable, Problem> problems,
            Function<Problem, byte[]> documents,
            Runnable disconnect) {
        this.framing = framing;
        this.problems = problems;
        this.documents = documents;
        this.disconnect = disconnect;
    }

    /** Completes with the event stream, or with the failure that precedes the first event. */
    CompletionStage<HttpResponse> response() {
        return response;
    }

    /** Completes when the reader has received everything or has disconnected. */
    CompletableFuture<Void> whenEnded() {
        return writer.whenEnded();
    }

    /** Requests the first messages. */
    void begin(ClientCall<?, A> started) {
        call = started;
        started.request(framing.window());
    }

    /** Sends the headers at once instead of with the first event, for streams that may be silent for long. */
    void openNow() {
        if (!response.isDone()) {
            writer.writeHeaders(framing.headers());
            response.complete(writer.response());
        }
    }

    /**
     * Writes a comment to a quiet connection, so that neither side considers it dead; writes nothing while events wait.
     * If many bytes wait and the reader has taken none since the last call, or for {@link Framing#stallMax}, breaks off
     * the stream: its reader may reconnect.
     */
    void keepAlive() {
        long sent = sentEvents.get();
        long now = System.nanoTime();
        if (sent != sentAtLastLook || unsentBytes.get() <= UNREAD_BYTES_MAX) {
            progressNanos = now;
        } else if (now - progressNanos >= framing.stallMax().toNanos()) {
            writer.abort();
            var running = call;
            if (running != null) {
                running.cancel("The reader takes no events.", null);
            }
            disconnect.run();
            return;
        }
        sentAtLastLook = sent;
        if (response.isDone() && unsentEvents.get() == 0) {
            framing.keepAlive().ifPresent(this::write);
        }
    }

    /** Cancels the call, which has no effect if it has ended. A source that many streams share would keep this reader otherwise. */
    void leave() {
        var running = call;
        if (running != null) {
            running.cancel("The reader has gone.", null);
        }
    }

    /** Ends the stream without an `end` event, as a broken connection would, because the gateway is about to stop. */
    void breakOff() {
        writer.close();
    }

    @Override
    public void onMessage(A message) {
        openNow();
        owed.incrementAndGet();
        write(framing.message(message));
        if (unsentBytes.get() <= UNREAD_BYTES_MAX) {
            requestOwed(1);
        }
    }

    private void requestOwed(int most) {
        int taken = Math.min(most, owed.getAndUpdate(messages -> messages - Math.min(most, messages)));
        var running = call;
        if (running != null && taken > 0) {
            running.request(taken);
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        if (status.isOk()) {
            openNow();
            framing.end().ifPresent(this::write);
            writer.close();
            return;
        }
        var failure = status.asRuntimeException(trailers);
        if (response.isDone()) {
            endWith(framing.failure(documents.apply(problems.apply(failure))));
        } else {
            response.completeExceptionally(failure);
            writer.abort();
        }
    }

    private void endWith(Optional<HttpData> lastWords) {
        lastWords.ifPresentOrElse(
                data -> {
                    write(data);
                    writer.close();
                },
                writer::abort);
    }

    private void write(HttpData data) {
        unsentEvents.incrementAndGet();
        unsentBytes.addAndGet(data.length());
        writer.write(data);
    }

    private void sent(int events, int bytes) {
        unsentEvents.addAndGet(-events);
        long unsent = unsentBytes.addAndGet(-bytes);
        sentEvents.addAndGet(events);
        requestOwed(unsent <= UNREAD_BYTES_MAX ? Integer.MAX_VALUE : events);
    }
}
