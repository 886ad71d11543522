package dev.millrace.scheduler.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes one waiting thread. Several signals before the thread looks count as one. Thread-safe: the lock guards the
 * flag.
 */
public final class WakeLatch {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private boolean pending;

    public void raise() {
        lock.lock();
        try {
            pending = true;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a signal and consumes it. Returns false if none came in time. */
    public boolean await(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!pending && left > 0) {
                left = raised.awaitNanos(left);
            }
            boolean taken = pending;
            pending = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Sleeps for the whole {@code timeout}, whatever is signaled. */
    public static void pause(Duration timeout) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(timeout.toNanos());
    }
}
