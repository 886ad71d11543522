package dev.millrace.scheduler.expression;

import java.util.Optional;

/**
 * Functions of one family, such as {@code conductor}, that an expression of the dialect {@code millrace} may call beside JavaScript's own.
 * They are evaluated without a script engine, and stand for what other dialects can say and JavaScript cannot.
 */
@FunctionalInterface
public interface Functions {
    /**
     * The expression that a call is.
     *
     * @param name of the function, without that of its family
     * @return nothing where there is no such function
     * @throws IllegalArgumentException with a sentence, where an argument is missing or of the wrong kind
     */
    Optional<Expression> call(String name, Arguments arguments);
}
