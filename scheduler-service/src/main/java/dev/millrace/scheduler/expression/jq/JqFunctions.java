package dev.millrace.scheduler.expression.jq;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import java.util.Optional;

/** Function family {@code jq}. */
public final class JqFunctions {
    static final String FAMILY = "jq";

    private JqFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments arguments) {
        return name.equals("query") ? Optional.of(query(arguments)) : Optional.empty();
    }

    private static Expression query(Arguments arguments) {
        return switch (JqQuery.read(arguments.text(0), arguments.expression(1))) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable ->
                throw new IllegalArgumentException(unreadable.message() + " " + unreadable.remedy());
        };
    }
}
