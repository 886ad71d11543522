package dev.millrace.scheduler.expression.javascript;

/**
 * A word of a script.
 *
 * @param text as it is written; pieces of a template literal are one token each
 * @param start where it begins
 * @param end where it ends
 * @param afterLineBreak whether a line break is between it and the token before
 * @param depth how many brackets are open around it
 */
record Token(Kind kind, String text, int start, int end, boolean afterLineBreak, int depth) {
    /** What it is. */
    enum Kind {
        NAME,
        NUMBER,
        STRING,
        TEMPLATE,
        REGEX,
        PUNCTUATOR
    }

    boolean is(String expected) {
        return text.equals(expected) && (kind == Kind.PUNCTUATOR || kind == Kind.NAME);
    }

    boolean isName() {
        return kind == Kind.NAME;
    }
}
