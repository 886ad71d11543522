package dev.millrace.scheduler.expression;

import java.util.List;

/** An expression of a language other than plain paths; one package below this one for each language. */
public non-sealed interface Computed extends Expression {
    /** The plain paths it is known to read, for checks at compile time; it may read more. */
    default List<Path> paths() {
        return List.of();
    }
}
