package dev.millrace.scheduler.expression;

/** Result of parsing the text of one expression. */
public sealed interface ExpressionReading {
    /** A valid expression. */
    record Read(Expression expression) implements ExpressionReading {}

    /**
     * An invalid expression.
     *
     * @param message what is wrong, in full sentences, with line and column if the text has several lines
     * @param remedy what to do about it
     */
    record Unreadable(String message, String remedy) implements ExpressionReading {}
}
