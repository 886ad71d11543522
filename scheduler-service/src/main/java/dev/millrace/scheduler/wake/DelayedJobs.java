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
 * Makes delayed jobs claimable, and ends waits, when their time has come. Sleeps until the next one is due, or a nearer one is
 * announced, or the healing interval is over. Any number of schedulers may run it: rows are taken with SKIP LOCKED. A wait stays in the
 * database until its lane has ended it; one that was taken by a scheduler that died is taken again a little later.
 */
public final class DelayedJobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DelayedJobs.class);
    /** How late a job may be whose scheduler has died: its timer is in the database, but nobody else was told of it. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);
    /** How long the waits of one batch may take to their end before more are taken. */
    private static final Duration BATCH_PATIENCE = Duration.ofSeconds(10);

    private final DelayedJobStore store;
    private final Consumer<String> claimable;
    private final Function<DueWait, CompletableFuture<Void>> due;
    private final Loop loop = Loop.of("delayed-jobs", this::runOnce);

    /**
     * @param bus tells of jobs that are delayed and of waits that begin
     * @param claimable is told each tag of which jobs have become claimable
     * @param due ends a wait whose time has come; completes when that is done
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

    /** Makes what is due claimable and ends the waits that are due; returns how long until there is more to do. */
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

    /** One batch after the other, so that a lane is never given more than it can end while the waits are left alone. */
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
                        "The waits that are due end more slowly than they come; what is left over is taken again");
            } catch (ExecutionException failure) {
                log.atWarn().setCause(failure).log("Some waits that are due did not end and will be taken again");
            }
        } while (waits.size() == DelayedJobStore.BATCH_MAX);
    }

    @Override
    public void close() {
        loop.close();
    }
}
