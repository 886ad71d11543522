package dev.millrace.scheduler.expression;

/** Carries the message of a failed evaluation up to {@link Template#resolve}, which makes it a value. Has no stack: it is no bug. */
public final class EvaluationFailed extends RuntimeException {
    EvaluationFailed(String message) {
        super(message, null, false, false);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
