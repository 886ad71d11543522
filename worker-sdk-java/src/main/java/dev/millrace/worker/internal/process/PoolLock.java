package dev.millrace.worker.internal.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lock of a pool's state with deferred actions. Actions deferred while the lock is held run in their order, on the
 * thread that held it, right after its release.
 *
 * <p>This keeps system calls out of the lock. Writing a line wakes the process that reads it, perhaps on the same CPU.
 * If the writing thread still held the lock, the thread that reads the process's answer would have to wait for it.
 */
final class PoolLock {
    /** Action to run while the lock is held. */
    interface Action<E extends Exception> {
        void run() throws E;
    }

    /** Value to compute while the lock is held. */
    interface Question<T extends @Nullable Object, E extends Exception> {
        T answer() throws E;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Runnable> putOff = new ArrayList<>();

    <E extends Exception> void run(Action<E> action) throws E {
        lock.lock();
        try {
            action.run();
        } finally {
            release();
        }
    }

    <T extends @Nullable Object, E extends Exception> T get(Question<T, E> question) throws E {
        lock.lock();
        try {
            return question.answer();
        } finally {
            release();
        }
    }

    /** Defers an action until the lock is released by its outermost holder. Must be called with the lock held. */
    void afterwards(Runnable action) {
        assert lock.isHeldByCurrentThread() : "put off by a thread that does not hold the lock";
        putOff.add(action);
    }

    /**
     * Waits, without the lock, until the condition holds after a {@link #signal} or the time is over. Returns whether
     * it holds.
     */
    boolean await(BooleanSupplier state, Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (!state.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return state.getAsBoolean();
        } finally {
            release();
        }
    }

    /** Makes waiting threads check their conditions again. Must be called with the lock held. */
    void signal() {
        changed.signalAll();
    }

    private void release() {
        if (putOff.isEmpty() || lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        List<Runnable> due = putOff;
        putOff = new ArrayList<>();
        lock.unlock();
        due.forEach(Runnable::run);
    }
}
