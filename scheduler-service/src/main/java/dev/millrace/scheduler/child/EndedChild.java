package dev.millrace.scheduler.child;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A run that has ended, and for which a step of another one waits.
 *
 * @param parent the run that waits
 * @param stepKey of the step that waits
 * @param waitId of the row in the queue that stands for it
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
