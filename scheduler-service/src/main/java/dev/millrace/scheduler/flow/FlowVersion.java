package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;
import java.util.Optional;

/**
 * What makes one immutable version of a flow.
 *
 * @param dialect of the definition
 * @param fileName tells JSON from YAML
 * @param definition as given
 * @param scripts version of each script path that the definition names
 */
public record FlowVersion(String dialect, String fileName, String definition, Map<String, JobTarget.Script> scripts) {
    public FlowVersion {
        requireNonNull(dialect, "dialect");
        requireNonNull(fileName, "fileName");
        requireNonNull(definition, "definition");
        scripts = Map.copyOf(scripts);
    }

    /** The definition for the compiler. */
    FlowSource source() {
        return new FlowSource(fileName, Optional.of(dialect), definition, scripts.keySet());
    }
}
