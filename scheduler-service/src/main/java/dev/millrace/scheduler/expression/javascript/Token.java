package dev.millrace.scheduler.expression.javascript;

/**
 * A token of a script.
 *
 * @param text as written; each piece of a template literal is one token
 * @param start index of the first character
 * @param end index after the last character
 * @param afterLineBreak whether a line break precedes it
 * @param depth number of brackets that are open around it
 */
record Token(Kind kind, String text, int start, int end, boolean afterLineBreak, int depth) {
    /** Kind of a token. */
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
