package dev.millrace.scheduler.expression.evaluator;

/** A child process ended in the middle of a request, or was killed. */
final class EvaluatorDied extends Exception {
    EvaluatorDied(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
