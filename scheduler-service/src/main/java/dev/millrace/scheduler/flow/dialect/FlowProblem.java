package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

/**
 * A problem or warning about one place in a definition.
 *
 * <p>Messages may quote or list parts of the definition and so could become as long as the definition. Each text is
 * therefore cut, so that all reported problems fit into one response.
 *
 * @param line from 1; 0 if the problem has no line
 * @param column from 1; 0 if the problem has no column
 * @param path place in the definition, for example {@code steps[1].needs[0]}; empty for the whole definition
 * @param message what is wrong, in full sentences
 * @param remedy what to do about it, in full sentences
 */
public record FlowProblem(int line, int column, String path, String message, String remedy) {
    /** Maximum characters of a path, message or remedy. */
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
