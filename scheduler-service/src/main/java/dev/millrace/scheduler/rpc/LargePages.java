package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Lets few calls at a time read large pages of lists, because the rows and messages of many such pages would fill the heap,
 * and their statements would take all connections to the database. The callers of one workspace stand in one line, so that
 * they hold up nobody else. Thread-safe.
 */
final class LargePages {
    /** Maximum number of large pages that are read at a time. */
    static final int PAGES_MAX = 3;
    /** Maximum number of those of one workspace. */
    static final int PAGES_EACH_MAX = 2;
    /** Number of lines; workspaces whose names have the same hash share one. */
    private static final int LINES = 64;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final long waitNanosMax;
    private final Semaphore[] lines = Stream.generate(() -> new Semaphore(PAGES_EACH_MAX, true))
            .limit(LINES)
            .toArray(Semaphore[]::new);
    private final Semaphore pages = new Semaphore(PAGES_MAX, true);

    /** @param waitMax longest time for which a call waits before it is refused */
    LargePages(Duration waitMax) {
        this.waitNanosMax = waitMax.toNanos();
    }

    /**
     * Reads a page once there is room for it.
     *
     * @param owner workspace of the list; empty for lists of the installation
     */
    void read(Optional<Workspace> owner, Runnable page) {
        long end = System.nanoTime() + waitNanosMax;
        Semaphore line = lines[Math.floorMod(owner.hashCode(), LINES)];
        acquire(line, end);
        try {
            acquire(pages, end);
            try {
                page.run();
            } finally {
                pages.release();
            }
        } finally {
            line.release();
        }
    }

    private static void acquire(Semaphore room, long endNanos) {
        try {
            if (room.tryAcquire(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw MillraceException.overloaded(
                "This scheduler reads as many large pages of lists as it does at a time: try again later, or with a"
                        + " page_size of at most " + LargeListInterceptor.SMALL_PAGE_MAX + ".",
                RETRY_AFTER);
    }
}
