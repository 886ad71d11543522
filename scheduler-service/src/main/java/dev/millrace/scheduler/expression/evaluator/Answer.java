package dev.millrace.scheduler.expression.evaluator;

/** What came of a request. */
public sealed interface Answer {
    /** Its value, as text. */
    record Value(String text) implements Answer {}

    /**
     * Why it has none.
     *
     * @param name type of the error, for example {@code ExpressionFailed}
     * @param message full sentences for a person
     */
    record Failed(String name, String message) implements Answer {}

    /**
     * Why the program cannot be read.
     *
     * @param message what is wrong with it
     * @param remedy what to do about it
     */
    record Invalid(String message, String remedy) implements Answer {}
}
