package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides what a handler does with a message. Blocks while conditions and paths are evaluated. */
final class Planner {
    /** Member of what an action gets: the id of the message. */
    private static final String MESSAGE_ID = "conductor.event.messageId";
    /** Maximum size of what all actions of a handler do with one message, in bytes. */
    static final int ACTIONS_BYTES_MAX = 2 * 1024 * 1024;

    /** Member of what an action gets: the event. */
    private static final String EVENT = "conductor.event.name";

    private final Supplier<RunId> ids;

    Planner(Supplier<RunId> ids) {
        this.ids = ids;
    }

    /** @param by the rights of the handler */
    HandlerPlan plan(EventHandler handler, ClaimedExecution noted, Access by) {
        if (noted.run().isPresent() && !by.allows(Role.VIEWER, noted.workspace(), noted.runName())) {
            return new HandlerPlan.Skipped("The handler acts for " + handler.actor()
                    + ", who may not see the runs of the folder in which the message was published.");
        }
        EvaluationOwner owner = new EvaluationOwner(Optional.of(noted.workspace()), "event handler " + handler.path());
        try {
            return ScopedValue.where(EvaluationOwner.CURRENT, owner).call(() -> evaluate(handler, noted));
        } catch (EvaluationFailed failed) {
            return new HandlerPlan.Failed(failed.sentence());
        } catch (MillraceException failed) {
            return new HandlerPlan.Failed(String.valueOf(failed.getMessage()));
        }
    }

    private HandlerPlan evaluate(EventHandler handler, ClaimedExecution noted) {
        JsonValue message = JsonValue.of(noted.message().orElse("null"));
        JsonValue expanded = Messages.expand(message);
        HandlerDefinition definition = handler.definition();
        if (definition.condition().isPresent()
                && !Messages.holds(definition.condition().get(), expanded)) {
            return new HandlerPlan.Skipped(
                    "The condition \"" + definition.condition().get() + "\" does not hold.");
        }
        List<PlannedAction> actions = new ArrayList<>();
        int bytesLeft = ACTIONS_BYTES_MAX;
        for (HandlerAction action : definition.actions()) {
            JsonValue filled = Messages.fill(action.details(), action.expandsJson() ? expanded : message, bytesLeft);
            bytesLeft -= filled.text().length();
            actions.add(planned(action, filled, noted));
        }
        return new HandlerPlan.Actions(actions);
    }

    private PlannedAction planned(HandlerAction action, JsonValue details, ClaimedExecution noted) {
        Map<String, JsonValue> filled = new LinkedHashMap<>(details.members());
        return switch (action.kind()) {
            case START_WORKFLOW -> {
                Map<String, JsonValue> input = members(filled.get("input"));
                mark(input, noted);
                filled.put("input", JsonValue.ofMembers(input));
                yield new PlannedAction(action.kind(), JsonValue.ofMembers(filled), Optional.of(ids.get()));
            }
            case COMPLETE_TASK, FAIL_TASK -> {
                Map<String, JsonValue> output = new LinkedHashMap<>();
                for (String key : List.of("workflowId", "taskId", "taskRefName", "reasonForIncompletion")) {
                    output.put(key, filled.getOrDefault(key, JsonValue.NULL));
                }
                output.putAll(members(filled.get("output")));
                mark(output, noted);
                filled.put("output", JsonValue.ofMembers(output));
                yield new PlannedAction(action.kind(), JsonValue.ofMembers(filled), Optional.empty());
            }
            case TERMINATE_WORKFLOW -> new PlannedAction(action.kind(), JsonValue.ofMembers(filled), Optional.empty());
        };
    }

    private static void mark(Map<String, JsonValue> members, ClaimedExecution noted) {
        members.put(MESSAGE_ID, JsonValue.ofString(noted.key().message().toString()));
        members.put(EVENT, JsonValue.ofString(noted.event()));
    }

    private static Map<String, JsonValue> members(@Nullable JsonValue value) {
        return value != null && value.kind() == JsonValue.Kind.OBJECT
                ? new LinkedHashMap<>(value.members())
                : new LinkedHashMap<>();
    }
}
