package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A node of a flow.
 *
 * @param id unique within its list and the lists around it
 * @param needs ids of the steps in the same list that must end before this step begins
 * @param action what the step does
 * @param policy how the step is skipped, delayed, retried and ended
 */
public record Step(String id, List<String> needs, StepAction action, StepPolicy policy) {
    public Step {
        requireNonNull(id, "id");
        needs = List.copyOf(needs);
        requireNonNull(action, "action");
        requireNonNull(policy, "policy");
    }

    /** Creates a step with the default policy. */
    public Step(String id, List<String> needs, StepAction action) {
        this(id, needs, action, StepPolicy.NONE);
    }
}
