package dev.millrace.scheduler.expression.evaluator;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks, from a thread of its own, at what the one thread of a child that answers is doing. What takes too much is stopped; where it cannot be,
 * the process ends, and the scheduler replaces it. So work needs no thread of its own, to which it would have to be handed.
 */
public final class WorkWatch implements Runnable {
    /** How often work in progress is looked at. */
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(3);
    /** After so many looks at nothing the watch sleeps until something begins. */
    private static final int IDLE_LOOKS_MAX = 100;
    /** Longest time for work that has been told to stop. */
    private static final Duration STOP_MAX = Duration.ofSeconds(3);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Thread thread =
            Thread.ofPlatform().name("work-watch").daemon().unstarted(this);
    private volatile @Nullable Piece current;
    private volatile boolean asleep;

    /**
     * What a piece of work may take.
     *
     * @param work processor time of its thread
     * @param elapsed time on the wall: a busy machine may leave a thread without a processor
     * @param allocatedBytes bytes that it may allocate, garbage included
     */
    public record Bounds(Duration work, Duration elapsed, long allocatedBytes) {}

    /**
     * How work ended.
     *
     * @param value what it resulted in; absent where it failed
     * @param failure a {@link RuntimeException} or a {@link StackOverflowError}; null where it did not fail
     * @param excess why it was stopped; empty where it was not. What it was stopped in is of no use any more, even if it ended just before
     */
    public record Ended<T>(Optional<T> value, @Nullable Throwable failure, String excess) {}

    /** Begins to watch. */
    public void start() {
        thread.start();
    }

    /**
     * Does something on the calling thread, under bounds.
     *
     * @param stop makes the work end soon with an exception, whatever it does; called from another thread. Null for work that cannot be stopped: it
     *     ends the process instead
     */
    public <T> Ended<T> run(Bounds bounds, @Nullable Runnable stop, Supplier<T> work) {
        Piece piece = new Piece(bounds, stop, Thread.currentThread().threadId());
        current = piece;
        if (asleep) {
            LockSupport.unpark(thread);
        }
        Optional<T> value = Optional.empty();
        @Nullable Throwable failure = null;
        try {
            value = Optional.of(work.get());
        } catch (RuntimeException | StackOverflowError failed) {
            failure = failed;
        }
        current = null;
        return new Ended<>(value, failure, piece.end());
    }

    @Override
    public void run() {
        int idleLooks = 0;
        while (true) {
            Piece piece = current;
            if (piece != null) {
                idleLooks = 0;
                piece.look();
            } else if (++idleLooks > IDLE_LOOKS_MAX) {
                sleepUntilSomethingBegins();
                idleLooks = 0;
            }
            LockSupport.parkNanos(this, LOOK_INTERVAL.toNanos());
        }
    }

    private void sleepUntilSomethingBegins() {
        asleep = true;
        while (current == null) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /** Work in progress. What it uses counts from the first look on, which only long work sees. */
    private static final class Piece {
        private final Bounds bounds;
        private final @Nullable Runnable stop;
        private final long thread;
        private long start;
        private long workBefore = -1;
        private long bytesBefore;
        private long stoppedAt;
        private boolean ended;
        private String excess = "";

        Piece(Bounds bounds, @Nullable Runnable stop, long thread) {
            this.bounds = bounds;
            this.stop = stop;
            this.thread = thread;
        }

        synchronized String end() {
            ended = true;
            return excess;
        }

        synchronized void look() {
            if (ended) {
                return;
            }
            long now = System.nanoTime();
            if (!excess.isEmpty()) {
                if (now - stoppedAt > STOP_MAX.toNanos()) {
                    endProcess();
                }
                return;
            }
            long work = THREADS.getThreadCpuTime(thread);
            long bytes = THREADS.getThreadAllocatedBytes(thread);
            if (workBefore < 0) {
                start = now;
                workBefore = work;
                bytesBefore = bytes;
            }
            if (work - workBefore > bounds.work().toNanos()
                    || now - start > bounds.elapsed().toNanos()) {
                stop("it took longer than " + bounds.work().toMillis() + " ms", now);
            } else if (bytes - bytesBefore > bounds.allocatedBytes()) {
                stop("it used more than " + (bounds.allocatedBytes() >> 20) + " MiB of memory", now);
            }
        }

        private void stop(String reason, long now) {
            if (stop == null) {
                endProcess();
                return;
            }
            excess = reason;
            stoppedAt = now;
            // It waits until what runs has stopped, which the watch must not.
            Thread.ofPlatform().name("work-stop").daemon().start(stop);
        }

        private static void endProcess() {
            Runtime.getRuntime().halt(EvaluatorProcess.EXIT_STUCK);
        }
    }
}
