package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.Set;

/**
 * A definition as given.
 *
 * @param fileName tells JSON from YAML by its ending
 * @param dialect the dialect it is in; absent means recognize it
 * @param text the definition
 * @param files paths of the scripts that come with it
 */
public record FlowSource(String fileName, Optional<String> dialect, String text, Set<String> files) {
    public FlowSource {
        requireNonNull(fileName, "fileName");
        requireNonNull(dialect, "dialect");
        requireNonNull(text, "text");
        files = Set.copyOf(files);
    }

    /** A definition that comes alone. */
    public FlowSource(String fileName, Optional<String> dialect, String text) {
        this(fileName, dialect, text, Set.of());
    }

    /** The definition with these scripts beside it. */
    public FlowSource with(Set<String> scripts) {
        return new FlowSource(fileName, dialect, text, scripts);
    }
}
