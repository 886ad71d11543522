package dev.millrace.scheduler.expression;

import java.util.Optional;

/** Language of those expressions in a template that are not plain paths. */
public interface ExpressionLanguage {
    /** Parses the text of one expression. */
    ExpressionReading read(String text);

    /** Translates a plain path. */
    default Path plain(Path path) {
        return path;
    }

    /**
     * Finds the end of an expression within a longer text.
     *
     * @param start index of its first character
     * @return index of the closing braces; empty if they are missing
     */
    Optional<Integer> end(String text, int start);
}
