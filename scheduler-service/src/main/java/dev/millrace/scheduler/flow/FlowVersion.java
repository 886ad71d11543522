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
 * @param subFlows hash of each flow that it runs as a part of itself, those inside others included, by path
 */
public record FlowVersion(
        String dialect,
        String fileName,
        String definition,
        Map<String, JobTarget.Script> scripts,
        Map<String, String> subFlows) {
    public FlowVersion {
        requireNonNull(dialect, "dialect");
        requireNonNull(fileName, "fileName");
        requireNonNull(definition, "definition");
        scripts = Map.copyOf(scripts);
        subFlows = Map.copyOf(subFlows);
    }

    /** The definition for the compiler. */
    FlowSource source() {
        return new FlowSource(fileName, Optional.of(dialect), definition, scripts.keySet());
    }
}
