package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The flows that run as a part of another flow, in the versions that were fixed when that flow was deployed. A flow
 * with options that only a run of its own can have becomes a child run instead.
 */
public final class SubFlows {
    /** No sub-flows. */
    public static final SubFlows NONE = new SubFlows(Map.of(), Set.of());

    /**
     * A version of a sub-flow.
     *
     * @param scripts the version of each script path in the definition
     * @param inputs checks the input of the sub-flow
     */
    public record Version(FlowDefinition flow, Map<String, JobTarget.Script> scripts, RunInput.Check inputs) {
        public Version {
            requireNonNull(flow, "flow");
            scripts = Map.copyOf(scripts);
            requireNonNull(inputs, "inputs");
        }
    }

    private final Map<String, Version> versions;
    private final Set<String> runs;

    /**
     * Creates the set of all reachable sub-flows, including sub-flows of sub-flows, by path.
     *
     * @param runs paths of the flows that become child runs
     */
    public SubFlows(Map<String, Version> versions, Set<String> runs) {
        this.versions = Map.copyOf(versions);
        this.runs = Set.copyOf(runs);
    }

    /**
     * Returns whether a flow with these options cannot be a part of another run. Its limit or its cached result is
     * shared between runs.
     */
    public static boolean needsRun(FlowOptions options) {
        return options.concurrency().isPresent() || options.cache().isPresent();
    }

    /** Returns whether the flow becomes a child run. */
    boolean isRun(StepAction.SubFlow step) {
        return runs.contains(step.path()) || (!versions.containsKey(step.path()) && runs.contains(unnumbered(step)));
    }

    /** Returns the options of the flow that a step runs. */
    FlowOptions options(StepAction.SubFlow step) {
        return version(step).flow().options();
    }

    private Version version(StepAction.SubFlow step) {
        Version version = versions.getOrDefault(step.path(), versions.get(unnumbered(step)));
        if (version == null) {
            throw new IllegalArgumentException("No version is given for the flow \"" + step.path() + "\".");
        }
        return version;
    }

    /**
     * Returns the path without its number. Flows that were deployed before versions had numbers refer to sub-flows by
     * path alone.
     */
    private static String unnumbered(StepAction.SubFlow step) {
        return NumberedPath.read(step.path()).path();
    }

    /** Compiles a flow that is defined inside the step. */
    SubFlowWork resolve(StepAction.InlineFlow step, Tasks outer, int nesting) {
        FlowDefinition flow = HandledFlow.of(step.flow());
        return new SubFlowWork(
                flow,
                input -> RunInput.check(flow, input),
                GraphBuilder.buildInner(outer, this, flow, nesting),
                step.input());
    }

    SubFlowWork resolve(StepAction.SubFlow step, Tasks outer, int nesting) {
        Version version = version(step);
        Map<String, Version> inner = new LinkedHashMap<>(versions);
        inner.remove(step.path());
        Tasks tasks = new Tasks(version.scripts(), outer.defaults(), outer.priority());
        FlowDefinition flow = HandledFlow.of(version.flow());
        return new SubFlowWork(
                flow,
                version.inputs(),
                GraphBuilder.buildInner(tasks, new SubFlows(inner, runs), flow, nesting),
                step.input());
    }
}
