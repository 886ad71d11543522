package dev.millrace.scheduler.input;

import static java.util.Objects.requireNonNull;

/**
 * What does not fit in an input.
 *
 * @param path place in the input for people, such as {@code items[2].name}; empty for the whole input
 * @param message what is wrong, what was expected and what to do, in full sentences
 */
public record InputProblem(String path, String message) {
    public InputProblem {
        requireNonNull(path, "path");
        requireNonNull(message, "message");
    }
}
