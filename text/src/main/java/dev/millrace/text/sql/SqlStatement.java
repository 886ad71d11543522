package dev.millrace.text.sql;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * One statement of a script.
 *
 * @param text text with a {@code ?} for each parameter, as JDBC wants it
 * @param parameters what stands at each {@code ?}
 * @param word the word with which it begins, as it is written; empty if it begins with something else
 * @param line line of the script where it begins, from 1
 */
public record SqlStatement(String text, List<SqlParameter> parameters, String word, int line) {
    public SqlStatement {
        requireNonNull(text, "text");
        requireNonNull(word, "word");
        parameters = List.copyOf(parameters);
    }
}
