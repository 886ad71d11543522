package dev.millrace.scheduler.expression;

import java.util.List;
import java.util.Optional;

/** An expression other than a plain path. Each language has a package below this one. */
public non-sealed interface Computed extends Expression {
    /** Returns false unless a language knows that its expression is plain. */
    @Override
    default boolean isPlain() {
        return false;
    }

    /** Plain paths that the expression is known to read, for checks at compile time. The list may be incomplete. */
    default List<Path> paths() {
        return List.of();
    }

    /** Text of the expression in the dialect {@code millrace}; empty if the dialect cannot express it. */
    default Optional<String> text() {
        return Optional.empty();
    }

    /** Text of the expression as a part of another expression. A call needs no parentheses. */
    default Optional<String> operand() {
        return text();
    }
}
