package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.runtime.Signal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes delayed jobs claimable when their time has come. Sleeps until the next one is due, or a nearer one is announced, or the
 * healing interval is over. Any number of schedulers may run it: rows are taken with SKIP LOCKED.
 */
public final class DelayedJobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DelayedJobs.class);
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(30);

    private final DelayedJobStore store;
    private final Consumer<String> claimable;
    private final Signal signal = new Signal();
    private final Thread thread;
    private volatile boolean closed;

    /** {@code claimable} is told each tag of which jobs have become claimable. */
    public DelayedJobs(Database database, Consumer<String> claimable) {
        this.store = new DelayedJobStore(database);
        this.claimable = claimable;
        this.thread = Thread.ofVirtual().name("delayed-jobs").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** A job was delayed. */
    void announce() {
        signal.raise();
    }

    /** Makes what is due claimable; returns how long until there is more to do. */
    Duration runOnce() {
        List<String> tags;
        do {
            tags = store.promote();
            new HashSet<>(tags).forEach(claimable);
        } while (tags.size() == DelayedJobStore.PROMOTED_MAX);
        return store.nextDue()
                .filter(due -> due.compareTo(HEALING_INTERVAL) < 0)
                .orElse(HEALING_INTERVAL);
    }

    private void run() {
        try {
            while (!closed) {
                signal.await(waitOf());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration waitOf() {
        try {
            return runOnce();
        } catch (RuntimeException failure) {
            log.atWarn().setCause(failure).log("Delayed jobs could not be looked through and will be again");
            return Duration.ofSeconds(1);
        }
    }

    @Override
    public void close() {
        closed = true;
        signal.raise();
    }
}
