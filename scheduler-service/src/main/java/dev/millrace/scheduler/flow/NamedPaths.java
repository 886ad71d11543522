package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.dialect.Compilation;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Paths of the deployed scripts and flows that a flow uses, and of the secrets and resources to which it refers.
 *
 * @param scripts without the files that come with the flow
 * @param fixed flows whose versions are fixed when the flow is deployed
 * @param started flows whose current versions run when the flow starts them; without paths computed at run time
 */
record NamedPaths(Set<String> scripts, Set<String> fixed, Set<String> started, Set<Root.Reference> references) {
    NamedPaths {
        scripts = Set.copyOf(scripts);
        fixed = Set.copyOf(fixed);
        started = Set.copyOf(started);
        references = Set.copyOf(references);
    }

    /**
     * Collects the paths that a compiled flow uses.
     *
     * @param files names of the files that come with the flow
     * @param subFlows paths of all sub-flows, direct and indirect
     * @param references what the steps of the flow itself refer to
     */
    static NamedPaths of(
            Compilation.Compiled compiled, Set<String> files, Set<String> subFlows, Set<Root.Reference> references) {
        Set<String> scripts = new HashSet<>(compiled.scriptPaths());
        scripts.removeAll(files);
        Set<String> fixed = new HashSet<>();
        subFlows.forEach(path -> fixed.add(NumberedPath.read(path).path()));
        return new NamedPaths(scripts, fixed, started(compiled.flow()), references);
    }

    private static Set<String> started(FlowDefinition flow) {
        Set<String> paths = new HashSet<>();
        for (StartedFlow started : StartedFlow.of(flow)) {
            if (started instanceof StartedFlow.AtPath(String path)) {
                paths.add(path);
            }
        }
        return paths;
    }

    /** The paths of all flows, in alphabetical order. */
    Set<String> flows() {
        Set<String> all = new TreeSet<>(fixed);
        all.addAll(started);
        return all;
    }
}
