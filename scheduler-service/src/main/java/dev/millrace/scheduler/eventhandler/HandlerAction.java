package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An action of a handler.
 *
 * @param details what to do it with; its texts may contain <code>${…}</code>, which stand for values of the message
 * @param expandsJson whether texts of the message that are JSON count as that JSON
 */
record HandlerAction(ActionKind kind, JsonValue details, boolean expandsJson) {
    private static final int LENGTH_MAX = 500;
    private static final Set<String> START_KEYS = Set.of("name", "version", "correlationId", "input", "taskToDomain");
    private static final Set<String> TASK_KEYS =
            Set.of("workflowId", "taskRefName", "taskId", "output", "reasonForIncompletion");
    private static final Set<String> TERMINATE_KEYS = Set.of("workflowId", "terminationReason");

    HandlerAction {
        requireNonNull(kind, "kind");
        requireNonNull(details, "details");
    }

    /** Reads an action; empty if it is of no known kind, which is noted. */
    static Optional<HandlerAction> read(Members action) {
        String name = action.requiredText("action", LENGTH_MAX);
        Optional<ActionKind> kind = ActionKind.find(name);
        if (kind.isEmpty()) {
            action.refuse(
                    "action",
                    name.equals("update_workflow_variables")
                            ? "\"update_workflow_variables\" is not supported: let a WAIT of the workflow take the values from"
                                    + " complete_task, and a SET_VARIABLE after it set them"
                            : "\"" + name
                                    + "\" (expected: start_workflow, complete_task, fail_task or terminate_workflow)");
            return Optional.empty();
        }
        action.allow(Set.of(
                "action",
                "expandInlineJSON",
                "start_workflow",
                "complete_task",
                "fail_task",
                "terminate_workflow",
                "update_workflow_variables",
                "start_agent"));
        Members details = action.object(kind.get().text());
        switch (kind.get()) {
            case START_WORKFLOW -> requireStart(details);
            case COMPLETE_TASK, FAIL_TASK -> requireTask(details);
            case TERMINATE_WORKFLOW -> {
                details.allow(TERMINATE_KEYS);
                var _ = details.requiredText("workflowId", LENGTH_MAX);
            }
        }
        return Optional.of(
                new HandlerAction(kind.get(), JsonValue.ofMembers(details.all()), action.flag("expandInlineJSON")));
    }

    private static void requireStart(Members start) {
        start.allow(START_KEYS);
        var _ = start.requiredText("name", LENGTH_MAX);
        start.value("version")
                .filter(version -> version.kind() != JsonValue.Kind.NUMBER
                        || !version.text().matches("[0-9]{1,9}"))
                .ifPresent(version -> start.refuse("version", version.shown() + " (expected: a whole number)"));
        var _ = start.object("input");
        if (!start.object("taskToDomain").all().isEmpty()) {
            start.refuse("taskToDomain", "is not supported: remove it");
        }
    }

    private static void requireTask(Members task) {
        task.allow(TASK_KEYS);
        boolean isByName = isGiven(task, "workflowId") && isGiven(task, "taskRefName");
        boolean isNamed = isGiven(task, "taskId") || isByName;
        if (!isNamed) {
            task.refuse("taskId", "is missing (expected: taskId, or workflowId and taskRefName)");
        }
        var _ = task.object("output");
    }

    private static boolean isGiven(Members task, String key) {
        return task.text(key).filter(text -> !text.isBlank()).isPresent();
    }

    Map<String, JsonValue> members() {
        return details.members();
    }
}
