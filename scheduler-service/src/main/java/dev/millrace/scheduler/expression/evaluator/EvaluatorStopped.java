package dev.millrace.scheduler.expression.evaluator;

/** Nobody waits for a value any more, as the scheduler stops or its run was canceled: this says nothing about the expression. */
public final class EvaluatorStopped extends RuntimeException {
    EvaluatorStopped(String message) {
        super(message);
    }
}
