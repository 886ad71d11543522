package dev.millrace.scheduler.worker;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles what one thread brings, in that order: at once, on that thread, as long as nothing before it is still being handled; else, and
 * where it may wait itself, on a virtual thread.
 */
final class InOrder {
    private static final Logger log = LoggerFactory.getLogger(InOrder.class);

    private final ConcurrentLinkedQueue<Runnable> deferred = new ConcurrentLinkedQueue<>();
    /** How many were deferred and are not done. */
    private final AtomicInteger ahead = new AtomicInteger();

    /** Does something that does not wait. */
    void now(Runnable task) {
        if (ahead.get() == 0) {
            task.run();
        } else {
            later(task);
        }
    }

    /** Does something that may wait. */
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
                log.atError().setCause(bug).log("A worker's message failed for a reason of our own");
            }
        } while (ahead.decrementAndGet() > 0);
    }
}
