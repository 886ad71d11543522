package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import java.util.List;

/**
 * A step of a resolved flow.
 *
 * @param id its id
 * @param work what it does
 * @param policy what happens around that
 * @param needs how many steps must end before it begins
 * @param successors steps of its graph that need it
 * @param uses places of its graph whose results it, or anything inside it, reads
 * @param readers how many nodes of its graph, the output included, read its own result
 */
public record Node(
        String id, Work work, StepPolicy policy, int needs, List<Integer> successors, List<Integer> uses, int readers) {
    /** Whether what it reads is no longer needed once it has begun. */
    public boolean readsOnlyAtItsBegin() {
        return !(work instanceof Container)
                && !work.readsAtItsEnd()
                && policy.stops().isEmpty()
                && policy.retryIf().isEmpty()
                && policy.retry().retriesMax() == 0;
    }

    /** Whether its end may end something around it early. */
    boolean mayStop() {
        return !policy.stops().isEmpty() || work.mayStop();
    }

    /** Whether a failure inside of it, or its own, stays with it. */
    public boolean isTolerant() {
        return policy.onFailure() != OnFailure.FAIL || policy.retry().retriesMax() > 0 || HookedStep.isOne(this);
    }
}
