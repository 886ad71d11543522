package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * The run from which another run was made.
 *
 * @param run the other run
 * @param stepKey step of the other run at which it began, or which began it; empty for none
 */
public record RunOrigin(RunId run, RunRelation relation, String stepKey) {
    public RunOrigin {
        requireNonNull(run, "run");
        requireNonNull(relation, "relation");
        requireNonNull(stepKey, "stepKey");
    }
}
