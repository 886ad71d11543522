package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Source;

/**
 * Function made from a script, in the child process.
 *
 * @param function text of the function
 */
record Compiled(Source function) {
    /** Name of scripts in messages and stack traces. */
    static final String NAME = "expression";

    static Compiled of(String text) {
        return new Compiled(Source.newBuilder("js", text, NAME).buildLiteral());
    }
}
