package dev.millrace.worker.internal.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards the state of a pool, and does what a change brings about only after it: what is put off while the lock is held is done in that order
 * by the thread that held it, once it has let go.
 *
 * <p>So that nobody waits for a system call. A line wakes the process that it goes to, maybe on the CPU of the thread that writes it; had
 * that thread the lock, the process could answer, and the thread that reads the answer would wait for one that is not running.
 */
final class PoolLock {
    /** What is done while the lock is held. */
    interface Action<E extends Exception> {
        void run() throws E;
    }

    /** What is found out while the lock is held. */
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

    /** Has this done after the lock is released, however deep the caller holds it. Must be called with the lock held. */
    void afterwards(Runnable action) {
        assert lock.isHeldByCurrentThread() : "put off by a thread that does not hold the lock";
        putOff.add(action);
    }

    /** Waits, without the lock, until a {@link #signal} after which this holds, or the time is over; returns whether it holds. */
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

    /** Has whoever waits look again. Must be called with the lock held. */
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
