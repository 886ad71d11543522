package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Tells followers inside this process that a run has changed. Carries no data: a follower reads the database, so that a missed or
 * repeated call does no harm. Changes made by other schedulers are not seen; followers heal by reading again now and then.
 * Thread-safe: followers are kept in concurrent collections, and a run nobody follows costs one look-up.
 */
public final class RunEvents {
    private final Map<RunId, Set<Runnable>> followers = new ConcurrentHashMap<>();
    private final Map<RunId, Set<CompletableFuture<Outcome>>> waiters = new ConcurrentHashMap<>();

    /** Ends a subscription. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** Calls {@code onChange} after each change of the run, on the thread that made it: it must return at once. */
    public Subscription subscribe(RunId run, Runnable onChange) {
        followers.compute(run, (_, present) -> with(present, onChange));
        return () -> followers.computeIfPresent(run, (_, present) -> without(present, onChange));
    }

    /** Completes with the outcome once a commit of this process ends the run. Cancel the future to stop waiting. */
    public CompletableFuture<Outcome> whenEnded(RunId run) {
        CompletableFuture<Outcome> ended = new CompletableFuture<>();
        waiters.compute(run, (_, present) -> with(present, ended));
        var _ = ended.whenComplete((_, _) -> waiters.computeIfPresent(run, (_, present) -> without(present, ended)));
        return ended;
    }

    /** Announces that a run, its steps or its logs have changed. */
    public void changed(RunId run) {
        Optional.ofNullable(followers.get(run)).ifPresent(present -> present.forEach(Runnable::run));
    }

    /** Announces that a run has ended. */
    public void ended(RunId run, Outcome outcome) {
        Optional.ofNullable(waiters.get(run)).ifPresent(present -> present.forEach(waiter -> waiter.complete(outcome)));
        changed(run);
    }

    private static <T> Set<T> with(@Nullable Set<T> present, T added) {
        Set<T> set = present == null ? new CopyOnWriteArraySet<>() : present;
        set.add(added);
        return set;
    }

    private static <T> @Nullable Set<T> without(Set<T> present, T removed) {
        present.remove(removed);
        return present.isEmpty() ? null : present;
    }
}
