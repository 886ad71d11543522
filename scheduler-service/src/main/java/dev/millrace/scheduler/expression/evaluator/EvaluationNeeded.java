package dev.millrace.scheduler.expression.evaluator;

/** Thrown in place of an evaluation by {@link Evaluators#doWithout}. */
public final class EvaluationNeeded extends RuntimeException {
    EvaluationNeeded() {
        super("an expression needs an evaluator", null, false, false);
    }
}
