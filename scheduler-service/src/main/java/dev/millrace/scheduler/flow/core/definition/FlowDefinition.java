package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A flow as its author defined it, in any dialect. Scripts are still paths.
 *
 * @param name path of the flow; empty if the definition names none
 * @param description for people; may be empty
 * @param inputs the inputs that a run takes, in the order of the definition
 * @param steps the steps of the flow; the output of the list is the output of the flow
 * @param options the options of the flow as a whole
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

    /** Returns this definition with other options. */
    public FlowDefinition with(FlowOptions others) {
        return new FlowDefinition(name, description, inputs, steps, others);
    }

    /** Defines a flow with default options. */
    public FlowDefinition(String name, String description, List<InputSpec> inputs, StepList steps) {
        this(name, description, inputs, steps, FlowOptions.NONE);
    }
}
