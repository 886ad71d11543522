package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A definition as given.
 *
 * @param fileName tells JSON from YAML by its ending
 * @param dialect the dialect it is in; absent means recognise it
 * @param text the definition
 */
public record FlowSource(String fileName, Optional<String> dialect, String text) {
    public FlowSource {
        requireNonNull(fileName, "fileName");
        requireNonNull(dialect, "dialect");
        requireNonNull(text, "text");
    }
}
