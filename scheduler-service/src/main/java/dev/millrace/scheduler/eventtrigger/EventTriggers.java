package dev.millrace.scheduler.eventtrigger;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.Subscription;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WakeLatch;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerRights;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts runs for events. A scheduler holds the workspaces that no other one holds, for a while that it prolongs; it reads
 * their events in order, and notes the starts in the transaction that moves the position. So a scheduler may die anywhere.
 */
public final class EventTriggers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventTriggers.class);

    /** Maximum number of workspaces that a scheduler holds. */
    private static final int WORKSPACES_HELD_MAX = 1_000;
    /** How long a scheduler holds a workspace without prolonging that. */
    private static final Duration HELD = Duration.ofSeconds(15);
    /** How often to look for workspaces that nobody holds. */
    private static final Duration CLAIM_INTERVAL = Duration.ofSeconds(5);
    /** Batches of events after which it is the turn of other workspaces: runs of one may end faster than its triggers start others. */
    private static final int BATCHES_MAX = 5;
    /** Time in which events gather, so that those of many flushes are read together. */
    private static final Duration GATHER_TIME = Duration.ofMillis(50);

    private final EventTriggerStore store;
    private final Triggers triggers;
    private final TriggerStarts starts;
    private final TriggerRights rights;
    private final Events events;
    private final Supplier<RunId> ids;
    private final UUID self;
    private final AtomicBoolean claimSoon = new AtomicBoolean(true);
    private final Loop loop = Loop.of("event-triggers", this::runOnce);
    private final Events.Waiter waiter;

    private List<EventTriggerStore.Held> mine = new ArrayList<>();
    private long claimedNanos = System.nanoTime();

    private EventTriggers(
            Database database,
            Submissions submissions,
            StandingTokens tokens,
            TriggerStarts starts,
            TriggerRights rights,
            Events events,
            IdSource ids) {
        this.store = new EventTriggerStore(database);
        this.triggers = new Triggers(database, TriggerKind.EVENT, new EventTriggerRows(), submissions, tokens, ids);
        this.starts = starts;
        this.rights = rights;
        this.events = events;
        this.ids = ids::nextRun;
        this.self = ids.nextUuid();
        this.waiter = events.waiter(loop::wake);
    }

    /** Starts to read events for triggers. */
    public static EventTriggers start(
            Database database,
            Submissions submissions,
            StandingTokens tokens,
            TriggerStarts starts,
            TriggerRights rights,
            Events events,
            IdSource ids) {
        EventTriggers all = new EventTriggers(database, submissions, tokens, starts, rights, events, ids);
        all.loop.start();
        return all;
    }

    /** The triggers as people know them. */
    public Triggers triggers() {
        return triggers;
    }

    /** Makes sure that the events of a workspace are recorded before a trigger with these settings listens to them. */
    public void record(ByteString settings, Workspace workspace) {
        try {
            var _ = events.beginSubscription(
                    workspace,
                    EventFilter.scope(EventTriggerProtos.settings(settings).types()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop: repeat the call.");
        }
    }

    /** Heeds a change of a trigger at once. */
    public void wake() {
        claimSoon.set(true);
        loop.wake();
    }

    private Duration runOnce() throws InterruptedException {
        boolean isHeldUp = false;
        boolean hasMore = false;
        boolean isChanged = claimSoon.getAndSet(false);
        if (isChanged || System.nanoTime() - claimedNanos > CLAIM_INTERVAL.toNanos()) {
            mine = new ArrayList<>(store.claim(self, WORKSPACES_HELD_MAX, HELD));
            claimedNanos = System.nanoTime();
        }
        for (int index = 0; index < mine.size() && !loop.isClosed(); index++) {
            Optional<Stand> now = workOff(mine.get(index), isChanged);
            if (now.isPresent()) {
                mine.set(index, now.get().held());
                isHeldUp = isHeldUp || now.get().isHeldUp();
                hasMore = hasMore || now.get().hasMore();
            } else {
                mine.remove(index--);
                claimSoon.set(true);
            }
        }
        if (hasMore) {
            return Duration.ZERO;
        }
        if (!mine.isEmpty()) {
            WakeLatch.pause(GATHER_TIME);
        }
        return isHeldUp ? Events.HELD_UP_INTERVAL : CLAIM_INTERVAL;
    }

    /**
     * Where a workspace stands.
     *
     * @param isHeldUp whether further events are there whose turn has not come
     * @param hasMore whether further events are there that can be read once the other workspaces have had their turns
     */
    private record Stand(EventTriggerStore.Held held, boolean isHeldUp, boolean hasMore) {}

    /** Reads the events of a workspace that there are, up to {@link #BATCHES_MAX}. Returns where it stands; empty if it is no longer held. */
    private Optional<Stand> workOff(EventTriggerStore.Held held, boolean isChanged) throws InterruptedException {
        try {
            return work(held, isChanged);
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("workspace", held.workspace())
                    .setCause(failure)
                    .log("The events of a workspace could not be read for its triggers, and will be read again");
            return Optional.of(new Stand(held, false, false));
        }
    }

    private Optional<Stand> work(EventTriggerStore.Held held, boolean isChanged) throws InterruptedException {
        List<EventTriggerStore.Listener> listeners = store.listeners(held.workspace());
        if (listeners.isEmpty()) {
            boolean isForgotten = store.forget(held.workspace(), self);
            if (isForgotten) {
                events.endSubscriptions(held.workspace(), Scope.RUNS);
                events.endSubscriptions(held.workspace(), Scope.STEPS);
            }
            return isForgotten ? Optional.empty() : Optional.of(new Stand(held, false, false));
        }
        Scope scope = EventFilter.scope(matches(listeners).stream()
                .flatMap(match -> match.types().stream())
                .toList());
        if (isChanged && scope == Scope.RUNS) {
            // Triggers for steps may be gone. Whoever else needs their events keeps them by its next look.
            events.endSubscriptions(held.workspace(), Scope.STEPS);
        }
        Subscription read = events.resume(held.workspace(), scope, held.position());
        List<EventTriggerStore.LinkedStart> told = gap(held, read.gap(), listeners);
        EventTriggerStore.Held now = held;
        boolean goesOn = true;
        boolean isHeldUp = false;
        for (int batches = 0; goesOn && batches < BATCHES_MAX && !loop.isClosed(); batches++) {
            Subscription.Batch batch = read.next();
            List<EventTriggerStore.LinkedStart> found = new ArrayList<>(told);
            if (!batch.events().isEmpty()) {
                // Read after the events: a trigger that was committed before one of them is then among the listeners.
                found.addAll(starts(matches(store.listeners(held.workspace())), batch.events()));
            }
            if (!found.isEmpty() || !batch.events().isEmpty() || batch.isFarFrom(now.position())) {
                Optional<NotedStarts> noted = store.move(now, self, batch.position(), found);
                if (noted.isEmpty()) {
                    return Optional.empty();
                }
                var _ = starts.finish(noted.get());
                told = List.of();
                now = new EventTriggerStore.Held(now.workspace(), batch.position());
            }
            goesOn = !batch.isLast();
            isHeldUp = batch.isHeldUp();
        }
        return Optional.of(new Stand(now, isHeldUp, goesOn));
    }

    private List<EventMatch> matches(List<EventTriggerStore.Listener> listeners) {
        return listeners.stream()
                .map(listener -> new EventMatch(listener, () -> visibleFolders(listener)))
                .toList();
    }

    /** What the histories of triggers get if events may be missing after the position. */
    private List<EventTriggerStore.LinkedStart> gap(
            EventTriggerStore.Held held, Optional<String> gap, List<EventTriggerStore.Listener> listeners) {
        if (gap.isEmpty()) {
            return List.of();
        }
        log.atWarn()
                .addKeyValue("workspace", held.workspace())
                .addKeyValue("reason", gap.get())
                .log("Events may be missing, so triggers may not have started runs for them");
        return listeners.stream()
                .map(listener -> new EventTriggerStore.LinkedStart(
                        new NewStart(
                                listener.trigger().id(),
                                held.workspace(),
                                ids.get(),
                                "gap after " + held.position(),
                                WallClock.now(),
                                StartState.MISSED,
                                Optional.empty(),
                                Optional.empty(),
                                "Events may be missing that would have started runs. " + gap.get()),
                        Optional.empty()))
                .toList();
    }

    private List<EventTriggerStore.LinkedStart> starts(List<EventMatch> matches, List<Subscription.Read> batch) {
        List<Subscription.Read> matched = batch.stream()
                .filter(event -> matches.stream().anyMatch(match -> match.matches(event)))
                .toList();
        Chains chains = store.chains(
                matched.stream().flatMap(event -> event.stored().run().stream()).toList());
        List<EventTriggerStore.LinkedStart> found = new ArrayList<>();
        for (Subscription.Read event : matched) {
            matches.stream()
                    .filter(match -> match.matches(event))
                    .forEach(match -> found.add(match.start(event, chains, ids.get())));
        }
        return found;
    }

    /** What the author may see now. Whoever may see nothing any more gets refusals, which say so in the history. */
    private Optional<Set<String>> visibleFolders(EventTriggerStore.Listener listener) {
        try {
            Access by = rights.of(listener.trigger());
            return by.visibleFolders(listener.trigger().key().workspace());
        } catch (MillraceException _) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        waiter.close();
        loop.close();
        store.release(self);
    }
}
