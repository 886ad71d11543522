package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.DueTimeSet;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Times out flows whose time limit has passed. */
public final class Deadlines implements AutoCloseable {
    private final DeadlineLoop loop;

    /** @param expire called with each overdue run; its future completes once the end of the run is durable */
    public Deadlines(Database database, EventBus bus, Function<RunId, CompletableFuture<Void>> expire) {
        this.loop = new DeadlineLoop("deadlines", new DeadlineStore(database), expire);
        bus.subscribe(DueTimeSet.class, _ -> loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> loop.wake());
    }

    public void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }
}
