package dev.millrace.scheduler.runtime;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background activity that runs repeatedly: on start, after each {@link #wake}, and after the time that its last run
 * returned.
 *
 * <p>A failed run is logged and retried. Thread-safe; the activity never runs twice at once.
 */
public final class Loop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    /** Time until a failed activity of {@link #of} is retried. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    /** Longest time that {@link #close} waits for a run to end. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Duration retryInterval;
    private final Activity activity;
    private final WakeLatch signal = new WakeLatch();
    private final Thread thread;
    private volatile boolean closed;

    /** The work of a loop. */
    @FunctionalInterface
    public interface Activity {
        /** Does the work that there is. Returns the time until the next run, unless the loop is woken earlier. */
        Duration run() throws InterruptedException;
    }

    private Loop(String name, Duration retryInterval, Activity activity) {
        this.name = name;
        this.retryInterval = retryInterval;
        this.activity = activity;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::runUntilClosed);
    }

    /** Starts an activity on a virtual thread of its own. It runs at least once an interval. */
    public static Loop start(String name, Duration interval, Runnable activity) {
        Loop loop = new Loop(name, interval, () -> {
            activity.run();
            return interval;
        });
        loop.start();
        return loop;
    }

    /** Creates a loop whose activity decides when to run again. The loop may be woken before it is started. */
    public static Loop of(String name, Activity activity) {
        return new Loop(name, RETRY_INTERVAL, activity);
    }

    /** Starts the activity on a virtual thread of its own. */
    public void start() {
        thread.start();
    }

    /** Runs the activity soon, without waiting for its time. */
    public void wake() {
        signal.raise();
    }

    /** Waits for a wake-up in place of the loop's own thread. Returns false if none came in time. */
    public boolean awaitWake(Duration timeout) throws InterruptedException {
        return signal.await(timeout);
    }

    /** Whether the loop is being closed, so that a long run should stop early. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Stops after the current run and waits for it. A run that hangs, for example on an unavailable database, is
     * interrupted and left behind.
     */
    @Override
    public void close() {
        closed = true;
        signal.raise();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_PATIENCE)) {
                log.atWarn()
                        .addKeyValue("loop", name)
                        .addKeyValue("patience", CLOSE_PATIENCE)
                        .log("A background activity did not stop in time and was interrupted");
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void runUntilClosed() {
        try {
            while (!closed) {
                awaitWake(runLogged());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration runLogged() throws InterruptedException {
        try {
            return activity.run();
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("loop", name)
                    .addKeyValue("retryAfter", retryInterval)
                    .setCause(failure)
                    .log("A background activity failed and will be retried");
            return retryInterval;
        }
    }
}
