package dev.millrace.scheduler.queue.core;

/**
 * Measures how deeply the arrays and objects of a JSON text are nested, without recursion and without further parsing.
 */
public final class JsonNesting {
    private JsonNesting() {}

    /** Returns whether arrays and objects are nested more than {@code levels} deep. Takes one pass over the text. */
    public static boolean exceeds(String text, int levels) {
        if (text.length() <= levels) {
            return false;
        }
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (quoted) {
                if (next == '\\') {
                    i++;
                } else if (next == '"') {
                    quoted = false;
                }
            } else if (next == '"') {
                quoted = true;
            } else if (next == '[' || next == '{') {
                if (++depth > levels) {
                    return true;
                }
            } else if (next == ']' || next == '}') {
                depth--;
            }
        }
        return false;
    }
}
