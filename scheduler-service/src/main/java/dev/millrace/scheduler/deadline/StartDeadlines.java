package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.wake.DeadlineLoop;
import dev.millrace.scheduler.wake.NotificationsMissed;

/**
 * Lets the lanes cancel runs whose start deadline has passed. A lane cancels a run only if the run has not started. A
 * deadline is forgotten only after the lane has decided.
 */
public final class StartDeadlines implements AutoCloseable {
    private final DeadlineLoop loop;

    private StartDeadlines(Database database, Lanes lanes) {
        this.loop = new DeadlineLoop(
                "start-deadlines",
                new StartDeadlineStore(database),
                run -> lanes.demand(run, done -> new CancelUnstartedRun(run, done)));
    }

    public static StartDeadlines start(Database database, EventBus bus, Lanes lanes) {
        StartDeadlines deadlines = new StartDeadlines(database, lanes);
        bus.subscribe(StartDeadlineSet.class, _ -> deadlines.loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> deadlines.loop.wake());
        deadlines.loop.start();
        return deadlines;
    }

    @Override
    public void close() {
        loop.close();
    }
}
