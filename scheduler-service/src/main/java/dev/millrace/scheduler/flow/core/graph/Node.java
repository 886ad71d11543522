package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import java.util.List;

/**
 * A step of a compiled flow.
 *
 * @param id of the step
 * @param work what the step does
 * @param policy how the step is skipped, delayed, retried and ended
 * @param needs number of steps that must end before the step begins
 * @param successors positions of the steps that need this one
 * @param uses places whose results the step, or anything inside it, reads
 * @param readers how many nodes of the graph, including the output, read the result of the step
 */
public record Node(
        String id, Work work, StepPolicy policy, int needs, List<Integer> successors, List<Integer> uses, int readers) {
    /** Returns whether the step reads nothing after it has begun. */
    public boolean readsOnlyAtItsBegin() {
        return !(work instanceof Container)
                && !(work instanceof RepeatedWork)
                && policy.stops().isEmpty()
                && policy.retryIf().isEmpty()
                && policy.retry().retriesMax() == 0;
    }

    /** Returns whether the end of the step may end something around it early. */
    boolean mayStop() {
        return !policy.stops().isEmpty() || work.mayStop();
    }

    /** Returns whether a failure of the step, or one inside it, does not directly fail the list around it. */
    public boolean isTolerant() {
        return policy.onFailure() != OnFailure.FAIL || policy.retry().retriesMax() > 0 || HookedStep.isOne(this);
    }
}
