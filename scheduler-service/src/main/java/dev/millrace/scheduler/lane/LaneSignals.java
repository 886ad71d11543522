package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.Set;

/** What a lane tells the rest of the system after a commit. Calls return at once. */
public interface LaneSignals {
    /** Jobs of these tags wait that no worker here took: other schedulers may have room. */
    void jobsWait(Set<String> tags);

    /** A job has to wait this long for its time. */
    void jobDelayed(Duration delay);

    /** A wait began that will end by itself. */
    void waitBegan();

    /** Runs may stand in the queue that are to be started. */
    default void runsToStart() {}

    /** Runs have ended that others wait for, or are waited for no longer: notes say so. */
    default void childrenNoted() {}

    /** Lines for limits, by their tags, may go on, or have grown. */
    default void limitsChanged(Set<String> tags) {}

    /** A lease was ended whose session is not connected here. */
    void leaseEndedElsewhere(SessionId session, JobId job, String reason);

    /** Something worth a line in the job's log. */
    void note(QueuedJob job, String text);
}
