package dev.millrace.worker.internal.jobapi;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Lets a limited number of calls run at once; the others begin in the order in which they came. Thread-safe. */
final class Turns {
    private final int runningMax;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    Turns(int runningMax) {
        this.runningMax = runningMax;
    }

    /** Makes the call, at once or later. */
    <T> CompletableFuture<T> take(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable turn = () -> {
            var unused = call.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
                next();
            });
        };
        synchronized (this) {
            if (running == runningMax) {
                waiting.add(turn);
                return result;
            }
            running++;
        }
        turn.run();
        return result;
    }

    private void next() {
        Runnable turn;
        synchronized (this) {
            turn = waiting.poll();
            if (turn == null) {
                running--;
                return;
            }
        }
        turn.run();
    }
}
