package dev.millrace.scheduler.expression.jq;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;

/** Expressions in the language of jq. */
public final class JqQuery {
    private JqQuery() {}

    /**
     * Reads a query. Its value is what the query puts out: {@code {"result": first output or null, "resultList": [all outputs]}}.
     *
     * @param query its text, for example {@code .items | map(.id)}
     * @param input what it is asked of; a {@link dev.millrace.scheduler.expression.Composed} holds a template
     */
    public static ExpressionReading read(String query, Expression input) {
        return new ExpressionReading.Unreadable(
                "Queries such as \"" + query + "\" are not supported yet.", "Use a constant.");
    }
}
