package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Releases jobs from the queues of their limits to workers, as far as the limits allow.
 *
 * <p>It learns from others which queues may advance, and knows itself when a rate has room again. Queues that nobody
 * announced, because the scheduler that should have is gone, are found by healing. Any number of schedulers may run it.
 * Thread-safe.
 */
public final class ConcurrencyLimiter implements AutoCloseable {
    /** How often to look for queues that nobody announced. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /**
     * Most announced queues that wait to be advanced, and most whose due time is remembered. Healing finds the others.
     */
    private static final int QUEUES_TOLD_MAX = 10_000;

    private final LimitStore limits;
    private final LimitQueueStore queues;
    private final Consumer<Set<String>> claimable;
    private final Loop loop = Loop.of("concurrency-limiter", this::runOnce);
    /** Tags of announced queues. Guarded by itself. */
    private final Set<String> told = new LinkedHashSet<>();
    /** Due times of queues whose rate gets room later. Only the loop's thread uses them. */
    private final Map<String, Long> dueNanos = new HashMap<>();

    private String healedUpTo = "";
    private long healNanos;

    /** @param claimable called with the tags of released jobs */
    public ConcurrencyLimiter(Database database, EventBus bus, Consumer<Set<String>> claimable) {
        this.limits = new LimitStore(database);
        this.queues = new LimitQueueStore(database);
        this.claimable = claimable;
        bus.subscribe(LimitsChanged.class, changed -> tell(changed.tags()));
    }

    public void start() {
        healNanos = System.nanoTime();
        loop.start();
    }

    /** Announces queues that may advance, by their tags. */
    public void tell(Collection<String> tags) {
        note(tags);
        loop.wake();
    }

    /** Notes queues without waking the loop, for the loop itself: it would never sleep otherwise. */
    private void note(Collection<String> tags) {
        synchronized (told) {
            for (String tag : tags) {
                if (told.size() < QUEUES_TOLD_MAX) {
                    told.add(tag);
                }
            }
        }
    }

    /** Waits until a queue is announced. Returns false if none was in time. */
    boolean awaitTold(Duration timeout) throws InterruptedException {
        return loop.awaitWake(timeout);
    }

    /**
     * Advances all queues that may advance, and returns the time until there is more to do. After a failure, the next
     * run heals at once.
     */
    Duration runOnce() {
        long now = System.nanoTime();
        long nextHealNanos = healNanos;
        healNanos = now;
        if (now - nextHealNanos >= 0) {
            heal();
            nextHealNanos = now + HEALING_INTERVAL.toNanos();
        }
        takeDue(now);
        for (List<String> some = next(); !some.isEmpty() && !loop.isClosed(); some = next()) {
            move(some);
        }
        healNanos = nextHealNanos;
        long nextNanos = dueNanos.values().stream().reduce(healNanos, Math::min);
        return Duration.ofNanos(Math.max(0, nextNanos - System.nanoTime()));
    }

    private void heal() {
        List<String> tags = queues.tagsAfter(healedUpTo);
        healedUpTo = tags.size() == LimitQueueStore.TAGS_MAX ? tags.getLast() : "";
        Set<String> found = new HashSet<>(queues.queuesNotNoted());
        tags.stream().filter(JobLimit::isTag).forEach(found::add);
        note(found);
    }

    private void takeDue(long now) {
        List<String> due = new ArrayList<>();
        Iterator<Map.Entry<String, Long>> entries = dueNanos.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Long> entry = entries.next();
            if (now - entry.getValue() >= 0) {
                due.add(entry.getKey());
                entries.remove();
            }
        }
        note(due);
    }

    private List<String> next() {
        synchronized (told) {
            List<String> some = told.stream().limit(LimitStore.QUEUES_MAX).toList();
            some.forEach(told::remove);
            return some;
        }
    }

    private void move(List<String> some) {
        LimitStore.Moved moved = limits.move(some);
        some.forEach(dueNanos::remove);
        long now = System.nanoTime();
        moved.again().forEach((queue, wait) -> {
            if (wait.isZero()) {
                note(List.of(queue));
            } else if (dueNanos.size() < QUEUES_TOLD_MAX) {
                dueNanos.put(queue, now + wait.toNanos());
            }
        });
        if (!moved.tags().isEmpty()) {
            claimable.accept(moved.tags());
        }
    }

    /** Stops after the current batch of queues. */
    @Override
    public void close() {
        loop.close();
    }
}
