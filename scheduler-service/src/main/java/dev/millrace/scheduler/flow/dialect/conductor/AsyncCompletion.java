package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Compiler of tasks with {@code asyncComplete}: after their work is done, they wait until something outside completes
 * them.
 *
 * <p>Such a task becomes two steps: the work, and a wait for the signal with the task's reference name. Retries and
 * timeouts apply to both together.
 */
final class AsyncCompletion {
    static final String KEY = "asyncComplete";

    private AsyncCompletion() {}

    /**
     * Whether the task waits to be completed from outside. This needs a type that Conductor's server executes itself,
     * or a type unknown here.
     */
    static boolean applies(TaskNode task) {
        return isPossible(task) && task.fields().bool(KEY).orElse(false);
    }

    private static boolean isPossible(TaskNode task) {
        return switch (task.type()) {
            case HTTP, KAFKA_PUBLISH, EVENT -> true;
            case USER_DEFINED -> TaskType.find(task.typeWord()).isEmpty();
            default -> false;
        };
    }

    /** Whether something other than the server always completes tasks of this type. */
    static boolean isAlwaysCompletedFromOutside(TaskType type) {
        return type == TaskType.WAIT || type == TaskType.HUMAN || type == TaskType.SUB_WORKFLOW;
    }

    /** Makes one action of the work and the subsequent wait for its completion. */
    static StepAction around(TaskNode task, StepAction work, StepAction completion) {
        String call = task.reference() + "_call";
        String end = task.reference() + "_completion";
        List<Step> steps = List.of(
                new Step(call, List.of(), work, StepPolicy.NONE),
                new Step(end, List.of(call), completion, StepPolicy.NONE));
        Template output = new Template.Whole(new CompletedOutput(
                new TaskOutput(call, Shape.of(task.type()), false), new TaskOutput(end, Shape.PAYLOAD, false)));
        return new StepAction.Switch(
                Optional.empty(), List.of(), Optional.of(new StepList(steps, Optional.of(output))));
    }
}
