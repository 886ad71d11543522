package dev.millrace.scheduler.expression.evaluator;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watch over the single thread that evaluates in a child process. It stops an evaluation that exceeds its limits. If it
 * cannot, it ends the process, which the scheduler replaces. Only the watch needs an additional thread, so evaluations
 * need not be handed over.
 */
public final class WorkWatch implements Runnable {
    /** Interval at which running work is checked. */
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(3);
    /** Number of checks without work after which the watch sleeps until work begins. */
    private static final int IDLE_LOOKS_MAX = 100;
    /** Maximum time for stopped work to end. */
    private static final Duration STOP_MAX = Duration.ofSeconds(3);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Thread thread =
            Thread.ofPlatform().name("work-watch").daemon().unstarted(this);
    private volatile @Nullable Piece current;
    private volatile boolean asleep;

    /**
     * Limits of one piece of work.
     *
     * @param work processor time of its thread
     * @param elapsed wall-clock time, which allows for a busy machine that leaves the thread without a processor
     * @param allocatedBytes bytes that it may allocate, including garbage
     */
    public record Bounds(Duration work, Duration elapsed, long allocatedBytes) {}

    /**
     * Outcome of one piece of work.
     *
     * @param value result; absent after a failure
     * @param failure a {@link RuntimeException} or a {@link StackOverflowError}; null after a success
     * @param excess why the work was stopped; empty if it was not. Its context must not be used again after a stop,
     *     even if the work ended just before
     */
    public record Ended<T>(Optional<T> value, @Nullable Throwable failure, String excess) {}

    /** Starts the watch. */
    public void start() {
        thread.start();
    }

    /**
     * Runs work on the calling thread, within limits.
     *
     * @param stop makes the work end soon with an exception, called from another thread; null for work that cannot be
     *     stopped, for which the process ends instead
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
                sleepUntilWorkBegins();
                idleLooks = 0;
            }
            LockSupport.parkNanos(this, LOOK_INTERVAL.toNanos());
        }
    }

    private void sleepUntilWorkBegins() {
        asleep = true;
        while (current == null) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /** Running work. Its usage counts from the first check on, which only long work reaches. */
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
            // Stopping waits for the work to end, which would block the watch.
            Thread.ofPlatform().name("work-stop").daemon().start(stop);
        }

        private static void endProcess() {
            Runtime.getRuntime().halt(EvaluatorProcess.EXIT_STUCK);
        }
    }
}
