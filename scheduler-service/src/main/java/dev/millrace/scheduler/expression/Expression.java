package dev.millrace.scheduler.expression;

/** Part of a definition that has a value in a scope. Immutable and shared by all runs of a flow. */
public sealed interface Expression permits Path, Computed {
    /**
     * Evaluates the expression.
     *
     * @throws EvaluationFailed if it has no value
     */
    JsonValue evaluate(Scope scope);

    /** Returns what the expression may read. */
    Reads reads();

    /**
     * Whether a lane may evaluate the expression, because it costs no more than the values that it reads. All other
     * expressions are evaluated off the lane.
     */
    boolean isPlain();
}
