package dev.millrace.scheduler.expression;

/** Something that has a value in a scope. Immutable, and shared by all runs of a flow. */
public sealed interface Expression permits Path, Computed {
    /** Its value. Fails with {@link EvaluationFailed} where it has none. */
    JsonValue evaluate(Scope scope);

    /** What it may read. */
    Reads reads();

    /** Whether a lane may evaluate it: it costs no more than what it reads. All else is evaluated where nobody waits for it. */
    boolean isPlain();
}
