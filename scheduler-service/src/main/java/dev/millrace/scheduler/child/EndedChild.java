package dev.millrace.scheduler.child;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A child run that has ended.
 *
 * @param parent the run that waits
 * @param stepKey key of the waiting step
 * @param waitId id of the queue row of that step
 */
public record EndedChild(RunId child, RunId parent, String stepKey, JobId waitId, Outcome outcome) {
    public EndedChild {
        requireNonNull(child, "child");
        requireNonNull(parent, "parent");
        requireNonNull(stepKey, "stepKey");
        requireNonNull(waitId, "waitId");
        requireNonNull(outcome, "outcome");
    }
}
