package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends calls and completes futures with their answers. No thread waits. Thread-safe. */
final class AsyncCalls {
    private final Connection connection;

    AsyncCalls(Connection connection) {
        this.connection = requireNonNull(connection, "connection");
    }

    /** Sends a call until it is answered, or repeating does not help. A future that is canceled ends the call. */
    <Q, A, T> CompletableFuture<T> perform(Call<Q, A, T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        send(call, connection.attempts(call.serverWait()), result);
        return result;
    }

    private <Q, A, T> void send(Call<Q, A, T> call, Attempts attempts, CompletableFuture<T> result) {
        String token = connection.token();
        ClientCall<Q, A> sent = connection.showing(token).newCall(call.method(), connection.options(call, attempts));
        cancelWith(result, sent);
        ClientCalls.asyncUnaryCall(sent, call.request(), new StreamObserver<>() {
            @Override
            public void onNext(A answer) {
                completeWith(result, () -> result.complete(call.read().apply(answer)));
            }

            @Override
            public void onError(Throwable failure) {
                ClientException error = connection.error(failure, call);
                again(error, token, attempts, result, () -> send(call, attempts, result));
            }

            @Override
            public void onCompleted() {}
        });
    }

    /** Passes the entries of all pages to a consumer, in order. */
    <T> CompletableFuture<Void> pages(Function<String, Call<?, ?, Page<T>>> page, Consumer<? super T> consumer) {
        return pagesFrom("", page, consumer);
    }

    private <T> CompletableFuture<Void> pagesFrom(
            String token, Function<String, Call<?, ?, Page<T>>> page, Consumer<? super T> consumer) {
        return perform(page.apply(token)).thenCompose(read -> {
            read.entries().forEach(consumer);
            return read.nextToken().isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : pagesFrom(read.nextToken(), page, consumer);
        });
    }

    /** As {@link BlockingCalls#events}: passes the events to a consumer, one at a time. */
    CompletableFuture<Void> events(RunWatch watch, Optional<Duration> limit, Consumer<? super RunEvent> consumer) {
        Watch watched = new Watch(watch, limit, consumer);
        watched.open();
        return watched.result;
    }

    /** Plans the next attempt, or fails the future if there is to be none. */
    private void again(
            ClientException error, String token, Attempts attempts, CompletableFuture<?> result, Runnable attempt) {
        completeWith(result, () -> {
            Duration delay = connection.delayAfter(error, token, attempts);
            CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> {
                        if (!result.isDone()) {
                            completeWith(result, attempt);
                        }
                    });
        });
    }

    /** Runs what may throw; the future then fails. */
    private static void completeWith(CompletableFuture<?> result, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            result.completeExceptionally(failure);
        }
    }

    /** Ends the call once nobody waits for it, because the future was canceled or a consumer has failed. */
    private static void cancelWith(CompletableFuture<?> result, ClientCall<?, ?> call) {
        CompletableFuture<?> unused = result.whenComplete((value, failure) -> {
            if (failure != null) {
                call.cancel("The future has ended.", null);
            }
        });
    }

    /** The events of one run, over as many streams as it takes. gRPC calls it from one thread at a time. */
    private final class Watch {
        private final RunWatch watch;
        private final Optional<Duration> limit;
        private final Consumer<? super RunEvent> consumer;
        private final CompletableFuture<Void> result = new CompletableFuture<>();
        private final long begin = System.nanoTime();
        private final Following following = new Following();
        private final Attempts attempts = connection.attempts(Duration.ZERO);

        Watch(RunWatch watch, Optional<Duration> limit, Consumer<? super RunEvent> consumer) {
            this.watch = watch;
            this.limit = limit;
            this.consumer = consumer;
        }

        void open() {
            Call<WatchRunRequest, WatchRunResponse, Optional<RunEvent>> call = watch.after(following.position());
            String token = connection.token();
            CallOptions options = left().map(time ->
                            CallOptions.DEFAULT.withDeadlineAfter(Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS))
                    .orElse(CallOptions.DEFAULT);
            ClientCall<WatchRunRequest, WatchRunResponse> sent =
                    connection.showing(token).newCall(call.method(), options);
            cancelWith(result, sent);
            ClientCalls.asyncServerStreamingCall(sent, call.request(), new StreamObserver<>() {
                @Override
                public void onNext(WatchRunResponse answer) {
                    attempts.progressed();
                    call.read()
                            .apply(answer)
                            .filter(following::isNews)
                            .ifPresent(event -> completeWith(result, () -> consumer.accept(event)));
                }

                @Override
                public void onError(Throwable failure) {
                    ended(call, token, connection.error(failure, call));
                }

                @Override
                public void onCompleted() {
                    ClientException error = new UnavailableException(
                            connection.failure(call, Status.Code.UNAVAILABLE, "The stream ended before the run."));
                    ended(call, token, error);
                }
            });
        }

        private void ended(Call<?, ?, ?> call, String token, ClientException error) {
            if (following.hasEnded()) {
                result.complete(null);
            } else if (left().filter(time -> time.compareTo(Duration.ZERO) <= 0).isPresent()) {
                result.completeExceptionally(connection.stillRuns(call, limit.orElseThrow()));
            } else if (!result.isDone()) {
                again(error, token, attempts, result, this::open);
            }
        }

        private Optional<Duration> left() {
            return limit.map(time -> time.minusNanos(System.nanoTime() - begin));
        }
    }
}
