package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.DueTimeSet;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.signal.DueWait;
import dev.millrace.scheduler.signal.TimedWaitBegan;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes delayed jobs claimable, and ends waits, when they are due.
 *
 * <p>Sleeps until the next due time, the announcement of a nearer one, or the end of the healing interval. Any number
 * of schedulers may run it, because rows are taken with SKIP LOCKED. A wait stays in the database until its lane has
 * ended it. If the scheduler that took a wait dies, another one takes it a little later.
 */
public final class DelayedJobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DelayedJobs.class);
    /**
     * How late a job may be if its scheduler has died: its due time is in the database, but was announced to nobody
     * else.
     */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);
    /** Longest time to wait for the end of one batch of waits before the next batch is taken. */
    private static final Duration BATCH_PATIENCE = Duration.ofSeconds(10);

    private final DelayedJobStore store;
    private final Consumer<String> claimable;
    private final Function<DueWait, CompletableFuture<Void>> due;
    private final Loop loop = Loop.of("delayed-jobs", this::runOnce);

    /**
     * @param bus announces delayed jobs and waits that begin
     * @param claimable called with each tag of jobs that have become claimable
     * @param due ends a due wait; its future completes once the wait has ended
     */
    public DelayedJobs(
            Database database,
            EventBus bus,
            Consumer<String> claimable,
            Function<DueWait, CompletableFuture<Void>> due) {
        this.store = new DelayedJobStore(database);
        this.claimable = claimable;
        this.due = due;
        bus.subscribe(DueTimeSet.class, _ -> loop.wake());
        bus.subscribe(TimedWaitBegan.class, _ -> loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> loop.wake());
    }

    public void start() {
        loop.start();
    }

    /** Makes due jobs claimable and ends due waits. Returns the time until there is more to do. */
    Duration runOnce() throws InterruptedException {
        Optional<Duration> next = store.nextDue();
        if (next.filter(Duration::isZero).isPresent()) {
            promoteJobs();
            endWaits();
            next = store.nextDue();
        }
        return next.filter(due -> due.compareTo(HEALING_INTERVAL) < 0).orElse(HEALING_INTERVAL);
    }

    private void promoteJobs() {
        List<String> tags;
        do {
            tags = store.promote();
            new HashSet<>(tags).forEach(claimable);
        } while (tags.size() == DelayedJobStore.BATCH_MAX);
    }

    /**
     * Ends one batch after the other, so that a lane never gets more waits than it can end within {@link
     * DelayedJobStore#TAKEN_TIME}.
     */
    private void endWaits() throws InterruptedException {
        List<DueWait> waits;
        do {
            waits = store.takeWaits();
            CompletableFuture<Void> ended =
                    CompletableFuture.allOf(waits.stream().map(due).toArray(CompletableFuture<?>[]::new));
            try {
                ended.get(BATCH_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException behind) {
                log.atInfo().log(
                        "Waits become due faster than they end; those that have not ended will be taken again");
            } catch (ExecutionException failure) {
                log.atWarn().setCause(failure).log("Some due waits could not be ended and will be taken again");
            }
        } while (waits.size() == DelayedJobStore.BATCH_MAX);
    }

    @Override
    public void close() {
        loop.close();
    }
}
