package dev.millrace.scheduler.run;

import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Tells the other schedulers which runs somebody follows here, and tells those who follow a run elsewhere that this
 * scheduler has changed it. Followers so learn of each change at once, and nobody asks the database again and again. A run
 * that nobody follows costs a look-up.
 *
 * <p>Messages may get lost, so followers also look at the database from time to time, and what is followed is announced
 * again. Thread-safe.
 */
public final class RemoteFollowers implements RunEvents.Elsewhere, AutoCloseable {
    /** Time between two announcements of the same run. */
    static final Duration ANNOUNCE_INTERVAL = Duration.ofSeconds(20);
    /** Time after the last announcement of a run until it counts as not followed any more. */
    static final Duration FORGET_AFTER = ANNOUNCE_INTERVAL.multipliedBy(3);
    /** Maximum number of runs followed elsewhere that are remembered. Followers of further ones look by themselves. */
    static final int RUNS_MAX = 10_000;
    /** Runs in a message, which must stay below the 8,000 bytes of a notification of Postgres. */
    static final int RUNS_A_MESSAGE = 150;

    /** Time in which changes are gathered, so that a busy run costs a bounded number of messages. */
    private static final Duration GATHER_TIME = Duration.ofMillis(50);

    private final RunEvents events;
    private final EventBus bus;
    private final LongSupplier nanos;
    private final Loop loop = Loop.of("remote-followers", this::gatherAndTell);
    /** When the follower of a run counts as gone, by {@link #nanos}. */
    private final Map<RunId, Long> elsewhere = new ConcurrentHashMap<>();

    private final Set<RunId> followed = ConcurrentHashMap.newKeySet();
    private final Set<RunId> changed = ConcurrentHashMap.newKeySet();
    private volatile boolean areAllDue;
    /** When all runs were announced. Used by the loop only. */
    private long announcedNanos;

    /** Event on the bus: somebody follows these runs at this scheduler. */
    public record Followed(List<RunId> runs) {
        public Followed {
            runs = List.copyOf(runs);
        }
    }

    /** Event on the bus: this scheduler has changed these runs, which somebody follows elsewhere. */
    public record Changed(List<RunId> runs) {
        public Changed {
            runs = List.copyOf(runs);
        }
    }

    /** Event on the bus: this scheduler does not know what is followed elsewhere. */
    public record Asked() {}

    public RemoteFollowers(RunEvents events, EventBus bus) {
        this(events, bus, System::nanoTime);
    }

    RemoteFollowers(RunEvents events, EventBus bus, LongSupplier nanos) {
        this.events = events;
        this.bus = bus;
        this.nanos = nanos;
        this.announcedNanos = nanos.getAsLong();
    }

    /** Starts to send messages. */
    public RemoteFollowers start() {
        events.announceTo(this);
        loop.start();
        return this;
    }

    @Override
    public void followed(RunId run) {
        if (followed.add(run)) {
            loop.wake();
        }
    }

    @Override
    public void changed(RunId run) {
        if (elsewhere.containsKey(run) && changed.add(run)) {
            loop.wake();
        }
    }

    /** Notes that somebody follows these runs at another scheduler. */
    public void followedElsewhere(List<RunId> runs) {
        long until = nanos.getAsLong() + FORGET_AFTER.toNanos();
        for (RunId run : runs) {
            if (elsewhere.size() < RUNS_MAX || elsewhere.containsKey(run)) {
                elsewhere.put(run, until);
            }
        }
    }

    /** Wakes those who follow runs here, because another scheduler has changed these. */
    public void changedElsewhere(List<RunId> runs) {
        runs.forEach(events::changedElsewhere);
    }

    /** Announces all that is followed here soon, because another scheduler does not know it. */
    public void announce() {
        areAllDue = true;
        loop.wake();
    }

    /**
     * Finds out what is followed elsewhere, and wakes all who follow runs here, because messages may have got lost before.
     */
    public void heal() {
        bus.publish(new Asked());
        changedElsewhere(events.followed());
    }

    @Override
    public void close() {
        loop.close();
    }

    private Duration gatherAndTell() throws InterruptedException {
        WakeLatch.pause(GATHER_TIME);
        tell();
        return ANNOUNCE_INTERVAL;
    }

    void tell() {
        long now = nanos.getAsLong();
        elsewhere.values().removeIf(until -> until - now < 0);
        List<RunId> begun = taken(followed);
        boolean isAll = areAllDue || now - announcedNanos >= ANNOUNCE_INTERVAL.toNanos();
        if (isAll) {
            areAllDue = false;
            announcedNanos = now;
        }
        publish(isAll ? events.followed() : begun, Followed::new);
        publish(taken(changed), Changed::new);
    }

    private void publish(List<RunId> runs, Function<List<RunId>, Object> message) {
        for (int from = 0; from < runs.size(); from += RUNS_A_MESSAGE) {
            bus.publish(message.apply(runs.subList(from, Math.min(runs.size(), from + RUNS_A_MESSAGE))));
        }
    }

    /** Removes before it returns, so that a change which comes meanwhile is told again. */
    private static List<RunId> taken(Collection<RunId> runs) {
        List<RunId> taken = new ArrayList<>(runs);
        runs.removeAll(Set.copyOf(taken));
        return taken;
    }
}
