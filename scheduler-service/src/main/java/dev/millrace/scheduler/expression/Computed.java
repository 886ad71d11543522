package dev.millrace.scheduler.expression;

import java.util.List;
import java.util.Optional;

/** An expression of a language other than plain paths; one package below this one for each language. */
public non-sealed interface Computed extends Expression {
    /** Not plain unless it is known to be. */
    @Override
    default boolean isPlain() {
        return false;
    }

    /** The plain paths it is known to read, for checks at compile time; it may read more. */
    default List<Path> paths() {
        return List.of();
    }

    /** Its text as an expression of the dialect {@code millrace}; empty where it has none. */
    default Optional<String> text() {
        return Optional.empty();
    }

    /** Its text inside another expression; a call needs no brackets. */
    default Optional<String> operand() {
        return text();
    }
}
