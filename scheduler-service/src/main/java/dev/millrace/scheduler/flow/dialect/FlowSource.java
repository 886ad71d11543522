package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.Set;

/**
 * The text of a definition with what the compiler needs to know about it.
 *
 * @param fileName its extension distinguishes JSON from YAML
 * @param dialect name of the dialect; if absent, the compiler detects it
 * @param text the definition
 * @param files paths of the scripts that come with the definition
 */
public record FlowSource(String fileName, Optional<String> dialect, String text, Set<String> files) {
    public FlowSource {
        requireNonNull(fileName, "fileName");
        requireNonNull(dialect, "dialect");
        requireNonNull(text, "text");
        files = Set.copyOf(files);
    }

    /** A definition without scripts beside it. */
    public FlowSource(String fileName, Optional<String> dialect, String text) {
        this(fileName, dialect, text, Set.of());
    }

    /** Returns a copy with the paths of scripts that come with the definition. */
    public FlowSource with(Set<String> scripts) {
        return new FlowSource(fileName, dialect, text, scripts);
    }
}
