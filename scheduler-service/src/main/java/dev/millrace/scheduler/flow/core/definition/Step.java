package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A node of a flow.
 *
 * @param id unique within its list and the lists around it
 * @param needs ids of the steps of its list that must end before it begins
 * @param action what it does
 * @param policy what happens around that
 */
public record Step(String id, List<String> needs, StepAction action, StepPolicy policy) {
    public Step {
        requireNonNull(id, "id");
        needs = List.copyOf(needs);
        requireNonNull(action, "action");
        requireNonNull(policy, "policy");
    }

    /** A step around which nothing happens. */
    public Step(String id, List<String> needs, StepAction action) {
        this(id, needs, action, StepPolicy.NONE);
    }
}
