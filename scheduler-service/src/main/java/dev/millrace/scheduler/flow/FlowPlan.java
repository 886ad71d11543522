package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a deployment of a flow would do.
 *
 * @param path to which the version would belong
 * @param hash of the version
 * @param version its content
 * @param warnings settings that have no effect, in the order of the definition
 * @param current the version to which the path leads now, with its definition; empty for none
 * @param currentScripts scripts of that version by path
 * @param triggers changes of the triggers that the file declares
 */
record FlowPlan(
        String path,
        String hash,
        FlowVersion version,
        List<FlowProblem> warnings,
        Optional<StoredFlow> current,
        Map<String, JobTarget.Script> currentScripts,
        List<DeclaredChange> triggers) {
    FlowPlan {
        requireNonNull(path, "path");
        requireNonNull(hash, "hash");
        requireNonNull(version, "version");
        requireNonNull(current, "current");
        warnings = List.copyOf(warnings);
        currentScripts = Map.copyOf(currentScripts);
        triggers = List.copyOf(triggers);
    }
}
