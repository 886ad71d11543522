package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Source;

/**
 * The function that a script became.
 *
 * @param function its text; all realms share what is parsed of it
 */
record Compiled(Source function) {
    /** How messages and stack traces name it. */
    static final String NAME = "expression";

    static Compiled of(String text) {
        return new Compiled(Source.newBuilder("js", text, NAME).buildLiteral());
    }
}
