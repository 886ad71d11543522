package dev.millrace.scheduler.expression.javascript.operators;

/** Exception for an operation that only the engine can evaluate. It has no stack trace, because it is not a bug. */
final class LeftToEngine extends RuntimeException {
    LeftToEngine() {
        super("The engine evaluates this.", null, false, false);
    }
}
