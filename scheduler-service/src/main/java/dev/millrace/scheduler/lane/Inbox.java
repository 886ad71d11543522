package dev.millrace.scheduler.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a lane, and who drives it: one of two threads at a time. A driver that has nothing else to do may go away to prepare a move itself, which
 * saves handing that to another thread and back; should anything arrive meanwhile, the other thread drives. Only one is away at a time, so that one
 * always can. Thread-safe.
 */
final class Inbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<LaneCommand> items = new ArrayDeque<>();
    /** Those that wait to drive; the one that came last is woken first. */
    private final Deque<Condition> parked = new ArrayDeque<>();

    private boolean driven;
    private boolean closing;
    private @Nullable Thread away;
    private volatile int size;

    /** What a thread waits on that drives at times. */
    Condition newDriver() {
        return lock.newCondition();
    }

    void add(LaneCommand item) {
        lock.lock();
        try {
            items.add(item);
            size = items.size();
            // Whoever is away and brings something comes back itself.
            if (!Thread.currentThread().equals(away)) {
                wakeOne();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many items wait. */
    int size() {
        return size;
    }

    /** Nothing is waited for any more: drivers end once everything is done. */
    void close() {
        lock.lock();
        try {
            closing = true;
            wakeOne();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something to do that nobody else does: the caller drives then. False where all is done and the inbox closed. */
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
                // The inbox is closed: the other driver ends, too.
                wakeOne();
            }
            return driven;
        } finally {
            lock.unlock();
        }
    }

    /** The driver takes up to {@code max} items. */
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

    /** The driver stops driving; it comes back by {@link #drive}. */
    void leave() {
        lock.lock();
        try {
            leave(null);
        } finally {
            lock.unlock();
        }
    }

    /** The driver stops driving for as long as it takes until it calls {@link #comeBack}; false where it may not, as something waits or another is away. */
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

    /** The driver that went away is there again, and drives or waits to do so next. */
    void comeBack() {
        lock.lock();
        try {
            away = null;
        } finally {
            lock.unlock();
        }
    }

    /** What waits, for a look at it. */
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
