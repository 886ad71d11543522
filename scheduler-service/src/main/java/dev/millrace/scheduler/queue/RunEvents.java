package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Notifies followers in this process that a run has changed.
 *
 * <p>Events carry no data: a follower reads the database, so missed or repeated calls are harmless. Other schedulers report
 * changes of the runs that are followed here. Followers read again occasionally, since such reports may get lost; a poller
 * looks up the ends that callers wait for, all together.
 *
 * <p>Thread-safe: followers are in concurrent collections, and a run without followers costs one look-up.
 */
public final class RunEvents {
    private final Map<RunId, Set<Runnable>> followers = new ConcurrentHashMap<>();
    private final Map<RunId, Set<CompletableFuture<RunId>>> waiters = new ConcurrentHashMap<>();
    private volatile Elsewhere elsewhere = Elsewhere.NOBODY;

    /** The other schedulers. Each method is called on the thread that made the change, and must return at once. */
    public interface Elsewhere {
        /** There are no other schedulers. */
        Elsewhere NOBODY = new Elsewhere() {
            @Override
            public void followed(RunId run) {}

            @Override
            public void changed(RunId run) {}
        };

        /** Somebody begins to follow a run in this process. */
        void followed(RunId run);

        /** This scheduler has changed a run. */
        void changed(RunId run);
    }

    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Calls {@code onChange} after each change of the run, on the thread that made the change. {@code onChange} must
     * return immediately.
     */
    public Subscription subscribe(RunId run, Runnable onChange) {
        followers.compute(run, (_, present) -> with(present, onChange));
        elsewhere.followed(run);
        return () -> followers.computeIfPresent(run, (_, present) -> without(present, onChange));
    }

    /** Returns a future that completes when the run is known to have ended. Cancel the future to stop waiting. */
    public CompletableFuture<RunId> whenEnded(RunId run) {
        CompletableFuture<RunId> ended = new CompletableFuture<>();
        waiters.compute(run, (_, present) -> with(present, ended));
        var _ = ended.whenComplete((_, _) -> waiters.computeIfPresent(run, (_, present) -> without(present, ended)));
        return ended;
    }

    /** Announces that a run, its steps or its logs have changed. */
    public void changed(RunId run) {
        changedElsewhere(run);
        elsewhere.changed(run);
    }

    /** Announces that another scheduler has changed a run. */
    public void changedElsewhere(RunId run) {
        Optional.ofNullable(followers.get(run)).ifPresent(present -> present.forEach(Runnable::run));
    }

    /** Tells somebody what other schedulers should know. Call it once, before anybody follows a run. */
    public void announceTo(Elsewhere others) {
        elsewhere = others;
    }

    /** Returns the runs that somebody follows in this process. */
    public List<RunId> followed() {
        return List.copyOf(followers.keySet());
    }

    /** Returns the runs whose ends callers wait for. */
    public List<RunId> awaited() {
        return List.copyOf(waiters.keySet());
    }

    /** Announces that a run has ended. */
    public void ended(RunId run) {
        Optional.ofNullable(waiters.get(run)).ifPresent(present -> present.forEach(waiter -> waiter.complete(run)));
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
