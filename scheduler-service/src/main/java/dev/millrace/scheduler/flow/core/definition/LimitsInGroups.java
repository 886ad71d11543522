package dev.millrace.scheduler.flow.core.definition;

import java.util.Optional;
import java.util.function.Function;

/**
 * Finds steps with a limit that keep to one worker with others. A job waits either for its limit or for the worker of its group, not for both, so
 * that such flows are refused.
 */
public final class LimitsInGroups {
    /** What to do about one. */
    public static final String REMEDY = "Remove the limit, or move the step out of what keeps to one worker.";

    private final Function<String, Optional<FlowDefinition>> subFlows;

    private LimitsInGroups(Function<String, Optional<FlowDefinition>> subFlows) {
        this.subFlows = subFlows;
    }

    /**
     * The id of the first such step.
     *
     * @param subFlows the flow at a path, which does not run itself; empty where it is not to be looked into
     */
    public static Optional<String> find(FlowDefinition flow, Function<String, Optional<FlowDefinition>> subFlows) {
        return new LimitsInGroups(subFlows).inFlow(flow, false);
    }

    /** What is wrong with this step. */
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
