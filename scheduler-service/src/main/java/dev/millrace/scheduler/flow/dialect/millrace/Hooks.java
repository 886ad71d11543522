package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reader of the tasks around a task, a container or a child run: {@code before_retry}, {@code before} and
 * {@code after}.
 */
final class Hooks {
    static final String BEFORE_RETRY = "before_retry";
    static final String BEFORE = "before";
    static final String AFTER = "after";
    static final List<String> KEYS = List.of(BEFORE_RETRY, BEFORE, AFTER);

    /** Keys of a hook. */
    static final List<String> TASK_KEYS = Stream.concat(
                    TaskFields.TARGETS.stream(), Stream.of("input", "tag", "priority", "timeout", "retry"))
            .toList();

    private final StepParts parts;

    Hooks(StepParts parts) {
        this.parts = parts;
    }

    static boolean areGiven(Fields step) {
        return KEYS.stream().anyMatch(step::has);
    }

    /** Adds the hooks of a step to its action; returns the action itself if the step has none. */
    StepAction around(StepAction run, Fields step) {
        List<String> given = KEYS.stream().filter(step::has).toList();
        if (given.isEmpty()) {
            return run;
        }
        if (run instanceof StepAction.Task) {
            step.refuse(
                    List.of(TaskFields.DELETE),
                    "cannot be combined with \"" + given.getFirst() + "\": the step keeps the result of the task.",
                    "Remove one of the two.");
        }
        if (parts.nesting() >= FlowLimits.NESTING_MAX) {
            step.refuse(
                    given,
                    "makes the steps nest deeper than the limit of " + FlowLimits.NESTING_MAX + " levels.",
                    "Take the inner steps into a flow of their own.");
        }
        Optional<StepAction.Task> beforeRetry = task(step, BEFORE_RETRY, Sight.ERROR, Sight.RETRY);
        Optional<StepAction.Task> before = task(step, BEFORE);
        Optional<StepAction.Task> after = task(step, AFTER, Sight.RESULT);
        boolean isWhole = beforeRetry.isPresent() || before.isPresent() || after.isPresent();
        boolean isKept =
                !(run instanceof StepAction.Task task && task.options().deleteAfterUse()) && !endsAround(step, run);
        return isWhole && isKept ? new StepAction.Hooked(run, beforeRetry, before, after) : run;
    }

    private boolean endsAround(Fields step, StepAction run) {
        boolean ends = run instanceof StepAction.Parallel parallel
                && parallel.stopped().isPresent();
        if (ends) {
            parts.reading()
                    .problem(
                            step.mark(),
                            step.path("parallel"),
                            "Branches with \"" + Parallels.STOPPED + "\" cannot have tasks around them.",
                            "Remove it, or put the tasks into steps before and after.");
        }
        return ends;
    }

    private Optional<StepAction.Task> task(Fields step, String key, Sight... sights) {
        Optional<SourceNode> node = step.find(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        return task(parts, parts.object(step, key, "a task in \"" + key + "\"", TASK_KEYS), key, sights);
    }

    static Optional<StepAction.Task> task(StepParts parts, Fields fields, String key, Sight... sights) {
        if (fields.isObject() && !TaskFields.isTask(fields)) {
            parts.reading()
                    .problem(
                            fields.mark(),
                            fields.path(),
                            key + " does nothing.",
                            "Give it one of " + String.join(", ", TaskFields.TARGETS) + ".");
        }
        parts.reading().countStep(fields.mark(), fields.path());
        return TaskFields.isTask(fields) ? Optional.of(new TaskFields(parts, sights).read(fields)) : Optional.empty();
    }
}
