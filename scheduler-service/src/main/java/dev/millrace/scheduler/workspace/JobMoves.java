package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves the waiting jobs of workspaces that got tags of their own to these tags. For some time, schedulers that do not know
 * it yet may still enqueue jobs under the other tags; these are moved, too. Any number of schedulers may do so at once.
 */
public final class JobMoves implements AutoCloseable {
    /** Time for all schedulers to learn that a workspace has tags of its own. */
    static final Duration MOVING = Duration.ofMinutes(1);

    private static final Duration INTERVAL_WHILE_MOVING = Duration.ofSeconds(1);
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(30);

    private final JobMoveStore store;
    private final Consumer<List<String>> jobsWait;
    private final Loop loop;

    /** @param jobsWait called with the tags of jobs that were moved */
    public JobMoves(Database database, Consumer<List<String>> jobsWait) {
        this.store = new JobMoveStore(database);
        this.jobsWait = jobsWait;
        this.loop = Loop.of("workspace-jobs", this::run);
    }

    public JobMoves start() {
        loop.start();
        return this;
    }

    /** Looks for jobs to move, because workspaces have changed. */
    public void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        loop.close();
    }

    private Duration run() {
        if (!store.isMoving()) {
            return HEALING_INTERVAL;
        }
        JobMoveStore.Moved moved;
        do {
            moved = store.move();
            if (!moved.tags().isEmpty()) {
                jobsWait.accept(moved.tags());
            }
        } while (moved.jobs() == JobMoveStore.BATCH_MAX && !loop.isClosed());
        return INTERVAL_WHILE_MOVING;
    }
}
