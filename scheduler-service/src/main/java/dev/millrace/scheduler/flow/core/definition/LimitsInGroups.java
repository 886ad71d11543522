package dev.millrace.scheduler.flow.core.definition;

import java.util.Optional;
import java.util.function.Function;

/**
 * Finds steps that have a limit and also belong to an affinity group. A job waits either for its limit or for the
 * worker of its group, never for both, so flows with such steps are rejected.
 */
public final class LimitsInGroups {
    /** How to fix such a step. */
    public static final String REMEDY = "Remove the limit, or move the step out of what keeps to one worker.";

    private final Function<String, Optional<FlowDefinition>> subFlows;

    private LimitsInGroups(Function<String, Optional<FlowDefinition>> subFlows) {
        this.subFlows = subFlows;
    }

    /**
     * Returns the id of the first such step.
     *
     * @param subFlows returns the flow at a path with its steps; empty for flows that are not to be searched
     */
    public static Optional<String> find(FlowDefinition flow, Function<String, Optional<FlowDefinition>> subFlows) {
        return new LimitsInGroups(subFlows).inFlow(flow, false);
    }

    /** Describes the problem with a step. */
    public static String message(String stepId) {
        return "Step \"" + stepId
                + "\" has a limit, and keeps to one worker with others: its job cannot wait for both.";
    }

    private Optional<String> inFlow(FlowDefinition flow, boolean grouped) {
        FlowOptions options = flow.options();
        return first(
                inList(flow.steps(), grouped || options.sameWorker()),
                options.onFailure().flatMap(list -> inList(list, grouped)));
    }

    private Optional<String> inList(StepList list, boolean grouped) {
        return list.steps().stream()
                .flatMap(step -> inStep(
                        step.id(), step.action(), grouped || step.policy().sameWorker())
                        .stream())
                .findFirst();
    }

    private Optional<String> inStep(String id, StepAction action, boolean grouped) {
        if (action instanceof StepAction.Task task) {
            return grouped && task.options().limit().isPresent() ? Optional.of(id) : Optional.empty();
        }
        if (action instanceof StepAction.Hooked hooked) {
            return inStep(id, hooked.run(), grouped);
        }
        if (action instanceof StepAction.SubFlow inner) {
            return subFlows.apply(inner.path()).flatMap(flow -> inFlow(flow, grouped));
        }
        return first(
                action.inlineFlow().flatMap(flow -> inFlow(flow, grouped)),
                action.lists().stream()
                        .flatMap(list -> inList(list, grouped).stream())
                        .findFirst());
    }

    private static Optional<String> first(Optional<String> one, Optional<String> other) {
        return one.isPresent() ? one : other;
    }
}
