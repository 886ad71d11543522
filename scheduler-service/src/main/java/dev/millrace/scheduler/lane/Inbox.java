package dev.millrace.scheduler.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The commands that wait for a lane, and the right to drive it, which one of two threads has at a time. Thread-safe.
 *
 * <p>A driver that has nothing else to do may go away to prepare a move itself, which saves two changes of threads. If
 * a command arrives meanwhile, the other thread drives. Only one thread may be away at a time, so one can always drive.
 */
final class Inbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<LaneCommand> items = new ArrayDeque<>();
    /** Threads that wait to drive. The one that came last is woken first. */
    private final Deque<Condition> parked = new ArrayDeque<>();

    private boolean driven;
    private boolean closing;
    private @Nullable Thread away;
    private volatile int size;

    /** Condition on which one driver thread waits. */
    Condition newDriver() {
        return lock.newCondition();
    }

    void add(LaneCommand item) {
        lock.lock();
        try {
            items.add(item);
            size = items.size();
            // A driver that is away and adds a command comes back by itself.
            if (!Thread.currentThread().equals(away)) {
                wakeOne();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Number of waiting commands. */
    int size() {
        return size;
    }

    /** Makes drivers end once all commands are done. */
    void close() {
        lock.lock();
        try {
            closing = true;
            wakeOne();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there are commands and nobody drives; the caller drives then. Returns false once the inbox is closed
     * and empty.
     */
    boolean drive(Condition driver) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (driven || (items.isEmpty() && !closing)) {
                parked.push(driver);
                try {
                    driver.await();
                } finally {
                    parked.remove(driver);
                }
            }
            driven = !items.isEmpty();
            if (!driven) {
                // Wakes the other driver, so that it ends, too.
                wakeOne();
            }
            return driven;
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to {@code max} commands. Only for the driver. */
    List<LaneCommand> take(int max) {
        lock.lock();
        try {
            List<LaneCommand> taken = new ArrayList<>();
            while (taken.size() < max && !items.isEmpty()) {
                taken.add(items.remove());
            }
            size = items.size();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Stops driving; {@link #drive} resumes it. */
    void leave() {
        lock.lock();
        try {
            leave(null);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops driving until {@link #comeBack}. Returns false if the driver must stay, because commands wait or the other
     * driver is away.
     */
    boolean goAway() {
        lock.lock();
        try {
            if (away != null || !items.isEmpty() || closing) {
                return false;
            }
            leave(Thread.currentThread());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave(@Nullable Thread goesAway) {
        driven = false;
        away = goesAway == null ? away : goesAway;
        if (closing || !items.isEmpty()) {
            wakeOne();
        }
    }

    /** Notes that the driver is back, and may drive again. */
    void comeBack() {
        lock.lock();
        try {
            away = null;
        } finally {
            lock.unlock();
        }
    }

    /** A snapshot of the waiting commands. */
    List<LaneCommand> waiting() {
        lock.lock();
        try {
            return List.copyOf(items);
        } finally {
            lock.unlock();
        }
    }

    private void wakeOne() {
        Condition next = parked.peek();
        if (!driven && next != null) {
            next.signal();
        }
    }
}
