package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.ExpressionReading;

/** Expressions in JavaScript. */
public final class JavaScript {
    private JavaScript() {}

    /**
     * Reads an expression such as {@code results.a.map(x => x.id)}, or a body of several statements that ends with {@code return}. A
     * plain path is evaluated without a script engine.
     *
     * @param source its text
     * @param names what it sees
     */
    public static ExpressionReading read(String source, Names names) {
        return ChainReader.read(source.strip(), names)
                .<ExpressionReading>map(ExpressionReading.Read::new)
                .orElseGet(() -> new ExpressionReading.Unreadable(
                        "The expression \"" + source.strip() + "\" is not a plain path.",
                        "Write a plain path such as results.a.items[0]."));
    }
}
