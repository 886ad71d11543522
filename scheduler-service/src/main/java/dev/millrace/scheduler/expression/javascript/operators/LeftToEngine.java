package dev.millrace.scheduler.expression.javascript.operators;

/** What is to be worked out is beyond these operators: the engine does it. Has no stack: it is no bug. */
final class LeftToEngine extends RuntimeException {
    LeftToEngine() {
        super("The engine evaluates this.", null, false, false);
    }
}
