package dev.millrace.scheduler.expression.evaluator;

/** Result of a request. */
public sealed interface Answer {
    /** A value, as text. */
    record Value(String text) implements Answer {}

    /**
     * A failure.
     *
     * @param name type of the error, for example {@code ExpressionFailed}
     * @param message full sentences for users
     */
    record Failed(String name, String message) implements Answer {}

    /**
     * A program that cannot be parsed.
     *
     * @param message what is wrong with it
     * @param remedy what to do about it
     */
    record Invalid(String message, String remedy) implements Answer {}
}
