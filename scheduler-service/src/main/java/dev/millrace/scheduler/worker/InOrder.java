package dev.millrace.scheduler.worker;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes tasks in the order in which one thread submits them. A task runs at once on that thread if it does not block
 * and all tasks before it are done. Otherwise it runs on a virtual thread.
 */
final class InOrder {
    private static final Logger log = LoggerFactory.getLogger(InOrder.class);

    private final ConcurrentLinkedQueue<Runnable> deferred = new ConcurrentLinkedQueue<>();
    /** Number of deferred tasks that are not done. */
    private final AtomicInteger ahead = new AtomicInteger();

    /** Executes a task that does not block. */
    void now(Runnable task) {
        if (ahead.get() == 0) {
            task.run();
        } else {
            later(task);
        }
    }

    /** Executes a task that may block. */
    void later(Runnable task) {
        deferred.add(task);
        if (ahead.getAndIncrement() == 0) {
            var _ = Thread.ofVirtual().name("worker-message").start(this::workOff);
        }
    }

    private void workOff() {
        do {
            try {
                deferred.remove().run();
            } catch (RuntimeException bug) {
                log.atError().setCause(bug).log("A worker's message could not be handled because of a bug");
            }
        } while (ahead.decrementAndGet() > 0);
    }
}
