package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A flow as its author defined it, whatever the dialect; scripts are still paths.
 *
 * @param name path of the flow; empty where the definition names none
 * @param description for people; may be empty
 * @param inputs what a run takes, in the order of the definition
 * @param steps the steps of the flow; their output is the flow's
 * @param options what it asks for beyond them
 */
public record FlowDefinition(
        String name, String description, List<InputSpec> inputs, StepList steps, FlowOptions options) {
    public FlowDefinition {
        requireNonNull(name, "name");
        requireNonNull(description, "description");
        inputs = List.copyOf(inputs);
        requireNonNull(steps, "steps");
        requireNonNull(options, "options");
    }

    /** The same with other options. */
    public FlowDefinition with(FlowOptions others) {
        return new FlowDefinition(name, description, inputs, steps, others);
    }

    /** A flow that asks for nothing beyond its steps. */
    public FlowDefinition(String name, String description, List<InputSpec> inputs, StepList steps) {
        this(name, description, inputs, steps, FlowOptions.NONE);
    }
}
