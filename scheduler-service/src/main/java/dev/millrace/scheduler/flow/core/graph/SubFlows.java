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
 * The flows that a flow runs as a part of itself, each in the version that was fixed when it was deployed. Some are run on their own
 * all the same, because they ask for what only a run has.
 */
public final class SubFlows {
    /** No other flow. */
    public static final SubFlows NONE = new SubFlows(Map.of(), Set.of());

    /**
     * One of them.
     *
     * @param scripts the version of each script path that its definition names
     * @param inputs checks what it is given
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
     * All that are reached, those inside others included, by path.
     *
     * @param runs paths of those that are run on their own
     */
    public SubFlows(Map<String, Version> versions, Set<String> runs) {
        this.versions = Map.copyOf(versions);
        this.runs = Set.copyOf(runs);
    }

    /** Whether a flow that asks for this cannot be a part of another run: others share its limit, or its result. */
    public static boolean needsRun(FlowOptions options) {
        return options.concurrency().isPresent() || options.cache().isPresent();
    }

    /** Whether the flow is run on its own. */
    boolean isRun(StepAction.SubFlow step) {
        return runs.contains(step.path()) || (!versions.containsKey(step.path()) && runs.contains(unnumbered(step)));
    }

    /** What a flow asks for. */
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

    /** The path alone: flows that were deployed before versions had numbers know their sub-flows by it. */
    private static String unnumbered(StepAction.SubFlow step) {
        return NumberedPath.read(step.path()).path();
    }

    /** A flow that is defined where it runs. */
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
