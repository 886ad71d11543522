package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Source;

/**
 * The function that a script became, in the child.
 *
 * @param function its text
 */
record Compiled(Source function) {
    /** How messages and stack traces name it. */
    static final String NAME = "expression";

    static Compiled of(String text) {
        return new Compiled(Source.newBuilder("js", text, NAME).buildLiteral());
    }
}
