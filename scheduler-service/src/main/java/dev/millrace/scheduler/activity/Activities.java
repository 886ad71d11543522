package dev.millrace.scheduler.activity;

import dev.millrace.scheduler.activity.core.ActivityMinute;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.LaneObserver;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.InstantSource;
import java.util.List;

/** What workspaces have done in the last minutes, on all schedulers. Thread-safe. */
public final class Activities implements AutoCloseable {
    /** Maximum number of minutes that a caller gets. */
    public static final int MINUTES_MAX = 1_440;

    private final ActivityStore store;
    private final ActivityCounter counter;

    private Activities(ActivityStore store) {
        this.store = store;
        this.counter = new ActivityCounter(store, InstantSource.system());
    }

    /** Starts to store what {@link #observer} counts. */
    public static Activities start(Database database) {
        Activities activities = new Activities(new ActivityStore(database));
        activities.counter.start();
        return activities;
    }

    /** Counts what lanes commit. */
    public LaneObserver observer() {
        return counter;
    }

    /** The last minutes of a workspace, the oldest first, with what schedulers have stored. */
    public List<ActivityMinute> last(Workspace workspace, int minutes) {
        return store.last(workspace, minutes);
    }

    @Override
    public void close() {
        counter.close();
    }
}
