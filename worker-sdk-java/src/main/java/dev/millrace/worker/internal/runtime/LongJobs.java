package dev.millrace.worker.internal.runtime;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Notices that running jobs of a slot group are long while others wait behind them, which are better off with other
 * workers. Thread-safe.
 */
public final class LongJobs {
    /** A job that has run this long is long. If no job of a group has ended for this long, its running jobs are. */
    public static final Duration LONG_RUN_MIN = Duration.ofSeconds(1);

    /** Reason for returning a job that waits behind long ones. */
    public static final String GIVEN_BACK = "The jobs before it run longer than expected.";

    private final ScheduledExecutorService timers;
    private final BooleanSupplier othersWait;
    private final Runnable onLong;
    private final AtomicLong ended = new AtomicLong();
    private final AtomicBoolean watched = new AtomicBoolean();

    /**
     * @param othersWait whether jobs wait behind running ones
     * @param onLong called on a timer's thread if jobs wait and no running one has ended for {@link #LONG_RUN_MIN}
     */
    public LongJobs(ScheduledExecutorService timers, BooleanSupplier othersWait, Runnable onLong) {
        this.timers = requireNonNull(timers, "timers");
        this.othersWait = requireNonNull(othersWait, "othersWait");
        this.onLong = requireNonNull(onLong, "onLong");
    }

    /** Called after a job arrived that may have to wait. */
    public void watch() {
        if (othersWait.getAsBoolean() && watched.compareAndSet(false, true)) {
            long seen = ended.get();
            try {
                var unused = timers.schedule(() -> look(seen), LONG_RUN_MIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // The worker is closing: no job waits any more.
                watched.set(false);
            }
        }
    }

    /** Called after the end of a job. */
    public void ended() {
        ended.incrementAndGet();
    }

    private void look(long endedBefore) {
        watched.set(false);
        if (ended.get() == endedBefore && othersWait.getAsBoolean()) {
            onLong.run();
        }
        watch();
    }
}
