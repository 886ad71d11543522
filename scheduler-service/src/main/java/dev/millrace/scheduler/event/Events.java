package dev.millrace.scheduler.event;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.eventlog.EventsRecorded;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads events, and wakes whoever waits for them. Thread-safe; reading blocks. */
public final class Events {
    /** Maximum number of events that a reader holds at a time. */
    static final int BATCH_MAX = 100;
    /** Longest time between two looks at a transaction that holds up events. */
    public static final Duration HELD_UP_INTERVAL = Duration.ofMillis(20);

    private final Recording recording;
    private final EventStore store;
    private final Duration kept;
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /** @param kept how long events are kept */
    public Events(Database database, EventBus bus, Recording recording, Duration kept) {
        this.recording = recording;
        this.store = new EventStore(database);
        this.kept = kept;
        bus.subscribe(EventsRecorded.class, _ -> wake());
    }

    /** Wakes all who wait for events. Returns at once. */
    public void wake() {
        waiting.forEach(Runnable::run);
    }

    /**
     * Where a reader begins.
     *
     * @param until the transaction before which all that is committed now can be read
     * @param gap why events after the position that the reader has named may be missing
     */
    record Opening(Position position, long until, Optional<String> gap) {}

    /** Makes sure that the workspace is recorded, and finds out where a reader begins. */
    Opening open(Workspace workspace, Scope scope, Start start, boolean isLasting) throws InterruptedException {
        Recording.Complete state = recording.require(workspace, scope, isLasting);
        Position oldest = new Position(state.epoch(), 0, 0, state.nowMillis());
        return switch (start) {
            case Start.Now _ ->
                new Opening(
                        new Position(state.epoch(), state.settled(), 0, state.nowMillis()),
                        state.settled(),
                        Optional.empty());
            case Start.Oldest _ -> new Opening(oldest, state.settled(), Optional.empty());
            case Start.After(Position position) ->
                position.epoch() == state.epoch()
                        ? new Opening(position, state.settled(), gap(position, state))
                        : new Opening(
                                oldest,
                                state.settled(),
                                Optional.of("The position is of another database server, from which this one was"
                                        + " restored: the events that are kept follow."));
        };
    }

    private Optional<String> gap(Position position, Recording.Complete state) {
        if (position.transaction() < state.since()) {
            return Optional.of("Nobody has followed the workspace for over " + Recording.KEPT.toMinutes()
                    + " minutes, so its runs left no events meanwhile.");
        }
        return position.timeMillis() < state.nowMillis() - kept.toMillis()
                ? Optional.of("Events are kept for " + kept.toHours() + " hours, and the position is older.")
                : Optional.empty();
    }

    /** Makes sure that the workspace is recorded until {@link #endSubscriptions}, and returns the present position. */
    public String beginSubscription(Workspace workspace, Scope scope) throws InterruptedException {
        return open(workspace, scope, new Start.Now(), true).position().text();
    }

    /** Reads on at a position that somebody has kept. */
    public Subscription resume(Workspace workspace, Scope scope, String position) throws InterruptedException {
        Position after =
                Position.parse(position).orElseThrow(() -> new IllegalArgumentException("no position: " + position));
        return new Subscription(this, workspace, open(workspace, scope, new Start.After(after), true));
    }

    /** Lets the recording of a scope end a while after its last subscription. */
    public void endSubscriptions(Workspace workspace, Scope scope) {
        recording.release(workspace, scope);
    }

    /** The next events after a position. */
    EventStore.Batch next(Workspace workspace, boolean showsShared, Position after) {
        return store.next(workspace, showsShared, after, BATCH_MAX);
    }

    /** Notes that somebody still follows the workspace. Returns false if it is no longer recorded. */
    boolean prolong(Workspace workspace, Scope scope) {
        return recording.prolong(workspace, scope);
    }

    /** How long to wait before looking again, if no news come. */
    static Duration pauseAfter(EventStore.Batch batch, Duration healing) {
        return batch.isHeldUp() ? HELD_UP_INTERVAL : healing;
    }

    /** The number of those who wait for news. */
    public int readers() {
        return waiting.size();
    }

    /** Calls the listener whenever there may be news, until the waiter is closed. */
    public Waiter waiter(Runnable listener) {
        waiting.add(listener);
        return () -> waiting.remove(listener);
    }

    /** Somebody who waits for news. */
    public interface Waiter extends AutoCloseable {
        @Override
        void close();
    }
}
