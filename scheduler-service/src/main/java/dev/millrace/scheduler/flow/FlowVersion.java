package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;
import java.util.Optional;

/**
 * Content of one immutable version of a flow.
 *
 * @param dialect of the definition
 * @param fileName whose extension distinguishes JSON from YAML
 * @param definition as submitted
 * @param scripts version of each script by path
 * @param subFlows hash by path of each flow that the flow runs as part of itself, directly or indirectly
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

    /** The definition as input of the compiler. */
    FlowSource source() {
        return new FlowSource(fileName, Optional.of(dialect), definition, scripts.keySet());
    }
}
