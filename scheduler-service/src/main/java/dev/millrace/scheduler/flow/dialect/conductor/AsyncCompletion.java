package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Tasks with {@code asyncComplete}: once their work is done, they wait until they are completed from outside. Such a task is two steps, the
 * work and the wait for the signal with the task's reference name; the whole is retried and timed out together.
 */
final class AsyncCompletion {
    static final String KEY = "asyncComplete";

    private AsyncCompletion() {}

    /** Whether a task is completed from outside: those that the server of Conductor does itself can be, or that are of a type which is not known here. */
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

    /** Whether tasks of a type are completed by something else than the server in any case. */
    static boolean isAlwaysSo(TaskType type) {
        return type == TaskType.WAIT || type == TaskType.HUMAN || type == TaskType.SUB_WORKFLOW;
    }

    /** The work of a task and the wait for its completion, one after the other. */
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
