package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/**
 * Owner of an evaluation, for fairness: workspaces take turns, and within each workspace its runs.
 *
 * @param run the run, or another source of evaluations, such as a deployment
 */
public record EvaluationOwner(Optional<Workspace> workspace, String run) {
    /** Owner of evaluations without a run: deployments and checks. */
    static final EvaluationOwner NOBODY = new EvaluationOwner(Optional.empty(), "");

    /** Owner of the evaluations on the current thread. */
    public static final ScopedValue<EvaluationOwner> CURRENT = ScopedValue.newInstance();
}
