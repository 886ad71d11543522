package dev.millrace.scheduler.expression;

import java.util.Optional;

/**
 * Functions of one family, such as {@code conductor}, that expressions of the dialect {@code millrace} may call besides
 * those of JavaScript. They need no script engine and express what other dialects can express but JavaScript cannot.
 */
@FunctionalInterface
public interface Functions {
    /**
     * Makes the expression for a call.
     *
     * @param name of the function, without its family
     * @return empty if the family has no such function
     * @throws IllegalArgumentException with a full sentence if an argument is missing or of the wrong kind
     */
    Optional<Expression> call(String name, Arguments arguments);
}
