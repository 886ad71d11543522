package dev.millrace.scheduler.expression;

/** What became of the text of one expression. */
public sealed interface ExpressionReading {
    /** The expression it is. */
    record Read(Expression expression) implements ExpressionReading {}

    /**
     * Why it is none.
     *
     * @param message what is wrong, in full sentences, with line and column where the text has several lines
     * @param remedy what to do about it
     */
    record Unreadable(String message, String remedy) implements ExpressionReading {}
}
