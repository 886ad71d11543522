package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.Turns;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets few calls at a time read large pages of lists, because the rows and messages of many such pages would fill the heap,
 * and their statements would take all connections to the database. Thread-safe.
 */
final class LargePages {
    /** Maximum number of large pages that are read at a time. */
    static final int PAGES_MAX = 3;
    /** Maximum number of those of one workspace. */
    static final int PAGES_EACH_MAX = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Turns turns;

    /** @param waitMax longest time for which a call waits before it is refused */
    LargePages(Duration waitMax) {
        this.turns = new Turns(PAGES_MAX, PAGES_EACH_MAX, waitMax, LargePages::refusal);
    }

    private static MillraceException refusal() {
        return MillraceException.overloaded(
                "This scheduler reads as many large pages of lists as it does at a time: try again later, or with a"
                        + " page_size of at most " + LargeListInterceptor.SMALL_PAGE_MAX + ".",
                RETRY_AFTER);
    }

    /**
     * Reads a page once there is room for it.
     *
     * @param owner workspace of the list; empty for lists of the installation
     */
    void read(Optional<Workspace> owner, Runnable page) {
        boolean _ = turns.take(owner, () -> {
            page.run();
            return true;
        });
    }
}
