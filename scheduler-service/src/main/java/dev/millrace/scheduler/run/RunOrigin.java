package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * What a run comes from.
 *
 * @param run the other run
 * @param relation restart, rerun_from, start_run, failure_flow or child_run
 * @param stepKey step of the other run at which it began, or which began it; empty for none
 */
public record RunOrigin(RunId run, String relation, String stepKey) {
    public RunOrigin {
        requireNonNull(run, "run");
        requireNonNull(relation, "relation");
        requireNonNull(stepKey, "stepKey");
    }
}
