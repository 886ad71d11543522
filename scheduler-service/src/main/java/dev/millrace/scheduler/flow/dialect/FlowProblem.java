package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

/**
 * One thing wrong with a definition, or to be known about it. What a message quotes or lists may be as long as the definition: each text is cut, so that
 * as many as are reported fit into an answer.
 *
 * @param line from 1; 0 where it has none
 * @param column from 1; 0 where it has none
 * @param path place in the definition, for example {@code steps[1].needs[0]}; empty for the whole
 * @param message what is so, in full sentences
 * @param remedy what to do about it, in full sentences
 */
public record FlowProblem(int line, int column, String path, String message, String remedy) {
    /** Longest text. */
    static final int TEXT_CHARS_MAX = 2_000;

    public FlowProblem {
        path = cut(requireNonNull(path, "path"));
        message = cut(requireNonNull(message, "message"));
        remedy = cut(requireNonNull(remedy, "remedy"));
    }

    private static String cut(String text) {
        if (text.length() <= TEXT_CHARS_MAX) {
            return text;
        }
        int end = TEXT_CHARS_MAX - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
