package dev.millrace.scheduler.runtime;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background activity that runs now and then: on start, after each {@link #wake}, and when the time is over that its last run has told. A
 * run that fails is logged and tried again. Thread-safe; the activity never runs twice at once.
 */
public final class Loop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    /** After a failure of an activity that tells by itself when to run again. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    /** Longest time that a run may take to its end once the loop is closed. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Duration retryInterval;
    private final Activity activity;
    private final WakeLatch signal = new WakeLatch();
    private final Thread thread;
    private volatile boolean closed;

    /** What a loop does. */
    @FunctionalInterface
    public interface Activity {
        /** Does what there is to do; returns how long until there is more, should nobody wake the loop before. */
        Duration run() throws InterruptedException;
    }

    private Loop(String name, Duration retryInterval, Activity activity) {
        this.name = name;
        this.retryInterval = retryInterval;
        this.activity = activity;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::runUntilClosed);
    }

    /** Starts an activity that runs at least once an interval, on a virtual thread of its own. */
    public static Loop start(String name, Duration interval, Runnable activity) {
        Loop loop = new Loop(name, interval, () -> {
            activity.run();
            return interval;
        });
        loop.start();
        return loop;
    }

    /** An activity that tells by itself when to run again. It may be woken before it is started. */
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

    /** Waits until the loop is woken, in place of its thread; false where it was not in time. */
    public boolean awaitWake(Duration timeout) throws InterruptedException {
        return signal.await(timeout);
    }

    /** Whether a run that has much to do should leave the rest. */
    public boolean isClosed() {
        return closed;
    }

    /** Stops after the present run and waits for it; one that hangs, on a database that is away for example, is left behind. */
    @Override
    public void close() {
        closed = true;
        signal.raise();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_PATIENCE)) {
                log.atWarn()
                        .addKeyValue("loop", name)
                        .addKeyValue("patience", CLOSE_PATIENCE)
                        .log("A background activity does not come to its end and is broken off");
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
                    .log("A background activity failed and will be tried again");
            return retryInterval;
        }
    }
}
