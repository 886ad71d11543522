package dev.millrace.scheduler.flow.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;

/** A flow ready to run: every script is a version, every option has a value. Immutable; shared by all runs of a version. */
public final class FlowModel {
    private final FlowDefinition definition;
    private final Graph graph;
    private final Limits limits;

    private FlowModel(FlowDefinition definition, Graph graph, Limits limits) {
        this.definition = definition;
        this.graph = graph;
        this.limits = requireNonNull(limits, "limits");
    }

    /** As {@link #resolve(FlowDefinition, Map, Defaults, Limits)}, with {@link Limits#DEFAULT}. */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults) {
        return resolve(definition, scripts, defaults, Limits.DEFAULT);
    }

    /**
     * Resolves a definition that a dialect has checked.
     *
     * @param scripts the version of each script path that the definition names
     * @throws IllegalArgumentException where a script is missing or the definition contradicts itself
     */
    public static FlowModel resolve(
            FlowDefinition definition, Map<String, JobTarget.Script> scripts, Defaults defaults, Limits limits) {
        Graph graph = GraphBuilder.build(new Tasks(scripts, defaults), definition.steps());
        return new FlowModel(definition, graph, limits);
    }

    public FlowDefinition definition() {
        return definition;
    }

    Graph graph() {
        return graph;
    }

    /** What the step of a key is. */
    public StepKind kind(StepKey key) {
        return KeyWalk.of(graph, key).node().work().kind();
    }

    int payloadBytesMax() {
        return limits.payloadBytesMax();
    }
}
