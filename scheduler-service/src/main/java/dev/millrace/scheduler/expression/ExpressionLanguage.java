package dev.millrace.scheduler.expression;

import java.util.Optional;

/** The language of expressions in a template that are no plain paths. */
public interface ExpressionLanguage {
    /** Reads the text of one expression. */
    ExpressionReading read(String text);

    /** What a plain path stands for. */
    default Path plain(Path path) {
        return path;
    }

    /**
     * Where an expression within a longer text ends.
     *
     * @param start where it begins
     * @return the position of the two braces that close it; nothing where they are missing
     */
    Optional<Integer> end(String text, int start);
}
