package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.DueTimeSet;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Times out flows whose time limit has passed.
 *
 * <p>Sleeps until the next time limit, the announcement of a nearer one, or the end of the healing interval. Any number
 * of schedulers may run it, because a lane ends a flow only if it is still overdue.
 */
public final class Deadlines implements AutoCloseable {
    /** How late a flow may time out if its scheduler has died. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);
    /** Shortest sleep, so that a flow that cannot be ended at the moment does not keep the thread busy. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(20);

    private final DeadlineStore store;
    private final Function<RunId, CompletableFuture<?>> expire;
    private final Loop loop = Loop.of("deadlines", this::runOnce);

    /** @param expire called with each overdue run; its future completes once the end of the run is durable */
    public Deadlines(Database database, EventBus bus, Function<RunId, CompletableFuture<?>> expire) {
        this.store = new DeadlineStore(database);
        this.expire = expire;
        bus.subscribe(DueTimeSet.class, _ -> loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> loop.wake());
    }

    public void start() {
        loop.start();
    }

    private Duration runOnce() {
        Optional<Duration> next = store.nextDue();
        if (next.filter(Duration::isZero).isPresent()) {
            expireOverdue();
            next = store.nextDue();
        }
        return next.filter(due -> due.compareTo(HEALING_INTERVAL) < 0)
                .map(due -> due.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : due)
                .orElse(HEALING_INTERVAL);
    }

    private void expireOverdue() {
        List<RunId> overdue;
        do {
            overdue = store.overdue();
            CompletableFuture.allOf(overdue.stream().map(expire).toArray(CompletableFuture<?>[]::new))
                    .join();
        } while (overdue.size() == DeadlineStore.OVERDUE_MAX);
    }

    @Override
    public void close() {
        loop.close();
    }
}
