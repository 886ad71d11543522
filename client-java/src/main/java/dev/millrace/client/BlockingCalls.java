package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Sends calls and waits for their answers on the thread of the caller. Thread-safe. */
final class BlockingCalls {
    private final Connection connection;

    BlockingCalls(Connection connection) {
        this.connection = requireNonNull(connection, "connection");
    }

    /** Sends a call until it is answered, or repeating does not help. */
    <Q, A, T> T perform(Call<Q, A, T> call) {
        Attempts attempts = connection.attempts(call.serverWait());
        while (true) {
            String token = connection.token();
            ClientException error;
            try {
                A answer = ClientCalls.blockingUnaryCall(
                        connection.showing(token), call.method(), connection.options(call, attempts), call.request());
                return call.read().apply(answer);
            } catch (StatusRuntimeException failure) {
                error = connection.error(failure, call);
            }
            pause(call, error, token, attempts);
        }
    }

    /** Returns the entries of all pages, each page read when it is needed. */
    <T> Stream<T> pages(Function<String, Call<?, ?, Page<T>>> page) {
        return stream(new Iterator<>() {
            private Iterator<T> entries = List.<T>of().iterator();
            private Optional<String> next = Optional.of("");

            @Override
            public boolean hasNext() {
                while (!entries.hasNext() && next.isPresent()) {
                    Page<T> read = perform(page.apply(next.get()));
                    entries = read.entries().iterator();
                    next = Optional.of(read.nextToken()).filter(token -> !token.isEmpty());
                }
                return entries.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("There are no more entries.");
                }
                return entries.next();
            }
        });
    }

    /**
     * Returns the events of a run to its end; a new stream continues one that broke.
     *
     * @param watch makes the call for the events after a position of the log
     * @param limit longest time; empty for no limit
     */
    Stream<RunEvent> events(RunWatch watch, Optional<Duration> limit) {
        WatchedRun watched = new WatchedRun(this, connection, watch, limit);
        return stream(watched).onClose(watched::close);
    }

    /** Waits before the next attempt. Throws the error if there is to be none. */
    void pause(Call<?, ?, ?> call, ClientException error, String token, Attempts attempts) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(call);
        }
        Duration delay = connection.delayAfter(error, token, attempts);
        try {
            Thread.sleep(delay.toMillis(), delay.toNanosPart() % 1_000_000);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw interrupted(call);
        }
    }

    /** The failure of a call whose thread was interrupted. */
    CallInterruptedException interrupted(Call<?, ?, ?> call) {
        return new CallInterruptedException(
                connection.failure(call, Status.Code.CANCELLED, "The thread was interrupted."));
    }

    private static <T> Stream<T> stream(Iterator<T> entries) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }
}
