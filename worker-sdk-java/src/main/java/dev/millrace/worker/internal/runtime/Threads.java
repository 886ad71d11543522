package dev.millrace.worker.internal.runtime;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the worker's threads: daemons with telling names. */
public final class Threads {
    private Threads() {}

    public static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> daemon(prefix + "-" + count.incrementAndGet(), task);
    }

    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a timer with one thread, for deadlines. */
    public static ScheduledExecutorService timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> daemon(name, task));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }
}
