package dev.millrace.scheduler.signal;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A wait whose time has come.
 *
 * @param forEvents whether the wait is for events, so that its time limit has expired
 */
public record DueWait(JobId id, RunId run, String stepKey, boolean forEvents) {
    public DueWait {
        requireNonNull(id, "id");
        requireNonNull(run, "run");
        requireNonNull(stepKey, "stepKey");
    }
}
