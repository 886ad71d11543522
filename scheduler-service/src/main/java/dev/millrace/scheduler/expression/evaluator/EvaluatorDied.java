package dev.millrace.scheduler.expression.evaluator;

/** Failure of a request because its child process ended or was killed. */
final class EvaluatorDied extends Exception {
    EvaluatorDied(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
