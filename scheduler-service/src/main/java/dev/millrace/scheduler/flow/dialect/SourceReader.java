package dev.millrace.scheduler.flow.dialect;

import java.util.Optional;

/** Reads documents that lie beside definitions, such as tests of flows, as definitions are read. */
public final class SourceReader {
    private SourceReader() {}

    /** Reads YAML; reports what makes it no document, and returns nothing then. */
    public static Optional<SourceNode> yaml(String text, Problems problems) {
        try {
            return Optional.of(YamlReader.read(text));
        } catch (SourceInvalid invalid) {
            invalid.addTo(problems);
            return Optional.empty();
        }
    }
}
