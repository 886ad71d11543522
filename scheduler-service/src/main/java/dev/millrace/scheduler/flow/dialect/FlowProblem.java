package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

/**
 * One thing wrong with a definition, or to be known about it.
 *
 * @param line from 1; 0 where it has none
 * @param column from 1; 0 where it has none
 * @param path place in the definition, for example {@code steps[1].needs[0]}; empty for the whole
 * @param message what is so, in full sentences
 * @param remedy what to do about it, in full sentences
 */
public record FlowProblem(int line, int column, String path, String message, String remedy) {
    public FlowProblem {
        requireNonNull(path, "path");
        requireNonNull(message, "message");
        requireNonNull(remedy, "remedy");
    }
}
