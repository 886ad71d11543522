package dev.millrace.scheduler.expression.javascript;

/** Formatter of excerpts of scripts for messages. */
final class Excerpt {
    private static final int LENGTH_MAX = 80;

    private Excerpt() {}

    /** Returns the beginning of a script, on one line. */
    static String of(String source) {
        String line = source.strip().replaceAll("\\s+", " ");
        return line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "…";
    }

    /** Returns line and column of a position. */
    static String place(String source, int position) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < position; i++) {
            if (source.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return place(line, position - lineStart + 1);
    }

    static String place(int line, int column) {
        return "line " + line + ", column " + column;
    }
}
