package dev.millrace.scheduler.expression.evaluator;

/**
 * Exception for an evaluation whose value nobody needs, because the scheduler stops or the run was canceled. It says
 * nothing about the expression.
 */
public final class EvaluatorStopped extends RuntimeException {
    EvaluatorStopped(String message) {
        super(message);
    }
}
