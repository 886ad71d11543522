package dev.millrace.scheduler.run;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;

/**
 * Polls for awaited runs that another scheduler has ended, with one query for all of them. Does not query while nobody
 * waits.
 */
public final class RemoteCompletionPoller {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final RunStore runs;
    private final RunEvents events;

    public RemoteCompletionPoller(Database database, RunEvents events) {
        this.runs = new RunStore(database);
        this.events = events;
    }

    /** Starts to poll, until the returned loop is closed. */
    public Loop start() {
        return Loop.start("remote-completions", INTERVAL, this::look);
    }

    void look() {
        List<RunId> awaited = events.awaited();
        if (!awaited.isEmpty()) {
            runs.endedAmong(awaited).forEach(events::ended);
        }
    }
}
