package dev.millrace.scheduler.expression.evaluator;

/**
 * For whom something is evaluated: turns are taken among workspaces, and inside each among runs.
 *
 * @param run the run, or what else asks, such as a deployment
 */
public record EvaluationOwner(String workspace, String run) {
    /** Whoever asks without saying for whom: deployments and checks. */
    static final EvaluationOwner NOBODY = new EvaluationOwner("", "");

    /** The owner of what the present thread evaluates. */
    public static final ScopedValue<EvaluationOwner> CURRENT = ScopedValue.newInstance();
}
