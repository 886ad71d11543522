package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;
import java.util.List;
import java.util.Optional;

/**
 * A graph of steps: the content of a flow, of a loop or of a branch.
 *
 * @param steps in the order of the definition
 * @param output result of the list; if absent, the list results in the result of its last step, or in null if it has no
 *     steps
 */
public record StepList(List<Step> steps, Optional<Template> output) {
    /** An empty list. */
    public static final StepList EMPTY = new StepList(List.of(), Optional.empty());

    public StepList {
        steps = List.copyOf(steps);
        requireNonNull(output, "output");
    }
}
