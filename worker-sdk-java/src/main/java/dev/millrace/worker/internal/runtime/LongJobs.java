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
 * Notices that the jobs of a slot group run for long while others wait behind them, which are better off where other workers have room.
 * Thread-safe.
 */
public final class LongJobs {
    /** A job that has run this long is long. Where none of a group has ended for this long, those that run are. */
    public static final Duration LONG_RUN_MIN = Duration.ofSeconds(1);

    /** Why a job goes back to the scheduler that waits behind long ones. */
    public static final String GIVEN_BACK = "The jobs before it run longer than expected.";

    private final ScheduledExecutorService timers;
    private final BooleanSupplier othersWait;
    private final Runnable onLong;
    private final AtomicLong ended = new AtomicLong();
    private final AtomicBoolean watched = new AtomicBoolean();

    /**
     * @param othersWait whether jobs wait behind those that run
     * @param onLong called by a timer's thread where they do, and none of those that run has ended for a while
     */
    public LongJobs(ScheduledExecutorService timers, BooleanSupplier othersWait, Runnable onLong) {
        this.timers = requireNonNull(timers, "timers");
        this.othersWait = requireNonNull(othersWait, "othersWait");
        this.onLong = requireNonNull(onLong, "onLong");
    }

    /** A job has come, and may have to wait. */
    public void watch() {
        if (othersWait.getAsBoolean() && watched.compareAndSet(false, true)) {
            long seen = ended.get();
            try {
                var unused = timers.schedule(() -> look(seen), LONG_RUN_MIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // The worker is closing: nothing waits any more.
                watched.set(false);
            }
        }
    }

    /** A job has ended. */
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
