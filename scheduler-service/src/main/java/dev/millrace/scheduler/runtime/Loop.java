package dev.millrace.scheduler.runtime;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background activity that runs now and then: on start, after each {@link #wake}, and at least once an interval. A run that fails is
 * logged and tried again after the interval. Thread-safe; {@link #runOnce} never runs twice at once within the loop's own thread.
 */
public final class Loop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final Duration interval;
    private final Runnable activity;
    private final Signal signal = new Signal();
    private final Thread thread;
    private volatile boolean closed;

    private Loop(String name, Duration interval, Runnable activity) {
        this.name = name;
        this.interval = interval;
        this.activity = activity;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::runUntilClosed);
    }

    /** Starts the activity on a virtual thread of its own. */
    public static Loop start(String name, Duration interval, Runnable activity) {
        Loop loop = new Loop(name, interval, activity);
        loop.thread.start();
        return loop;
    }

    /** Runs the activity soon instead of at the end of the interval. */
    public void wake() {
        signal.raise();
    }

    /** Runs the activity on the calling thread. */
    public void runOnce() {
        activity.run();
    }

    /** Stops after the present run; waits for it. */
    @Override
    public void close() {
        closed = true;
        signal.raise();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void runUntilClosed() {
        try {
            while (!closed) {
                runLogged();
                signal.await(interval);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void runLogged() {
        try {
            runOnce();
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("loop", name)
                    .addKeyValue("retryAfter", interval)
                    .setCause(failure)
                    .log("A background activity failed and will be tried again");
        }
    }
}
