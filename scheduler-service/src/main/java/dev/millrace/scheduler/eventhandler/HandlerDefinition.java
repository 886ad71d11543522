package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an event handler of Conductor says.
 *
 * @param text the definition as given, JSON
 * @param condition JavaScript over the message; absent if the handler takes every message
 */
record HandlerDefinition(
        Json text, String event, Optional<String> condition, List<HandlerAction> actions, boolean isActive) {
    static final int NAME_LENGTH_MAX = 200;
    static final int EVENT_LENGTH_MAX = 500;
    static final int ACTIONS_MAX = 20;
    static final int TEXT_LENGTH_MAX = 64 * 1024;

    /** The members of a definition, and those that Conductor writes itself or that are for people. */
    private static final Set<String> KEYS = Set.of(
            "name",
            "event",
            "condition",
            "evaluatorType",
            "actions",
            "active",
            "description",
            "tags",
            "ownerApp",
            "orgId",
            "createdBy",
            "updatedBy",
            "createTime",
            "updateTime");

    private static final Set<String> EVALUATORS = Set.of("", "javascript", "graaljs");

    HandlerDefinition {
        requireNonNull(text, "text");
        requireNonNull(event, "event");
        requireNonNull(condition, "condition");
        actions = List.copyOf(actions);
    }

    /** The name that the definition gives; empty if it gives none. */
    String name() {
        JsonValue name = JsonValue.of(text).members().getOrDefault("name", JsonValue.NULL);
        return name.kind() == JsonValue.Kind.STRING ? name.string() : "";
    }

    /** Reads a definition that was stored. */
    static HandlerDefinition stored(String text) {
        return read(new Json(text), "", new Violations());
    }

    /**
     * Reads a definition. What is wrong with it is added to the violations.
     *
     * @param text JSON
     * @param field of the request, which the fields of the violations begin with
     */
    static HandlerDefinition read(Json text, String field, Violations violations) {
        JsonValue all = JsonValue.of(text);
        if (all.kind() != JsonValue.Kind.OBJECT) {
            violations.add(field, "is " + all.kind().phrase() + " (expected: an object)");
            return new HandlerDefinition(text, "", Optional.empty(), List.of(), false);
        }
        Members members = new Members(all.members(), field, violations);
        members.allow(KEYS);
        violations.require(
                text.text().length() <= TEXT_LENGTH_MAX,
                field,
                text.text().length() + " characters (expected: at most " + TEXT_LENGTH_MAX + ")");
        String event = members.requiredText("event", EVENT_LENGTH_MAX);
        violations.require(
                event.isEmpty() || event.indexOf(':') > 0,
                field + ".event",
                "\"" + event + "\" (expected: a kind of queue and a name, such as conductor:WORKFLOW:NAME)");
        violations.require(
                !event.startsWith(TopicEvent.PREFIX) || TopicEvent.of(event).isPresent(),
                field + ".event",
                "\"" + event + "\" (expected: kafka:TOPIC or kafka:RESOURCE:TOPIC)");
        String evaluator = members.text("evaluatorType").orElse("");
        violations.require(
                EVALUATORS.contains(evaluator),
                field + ".evaluatorType",
                "\"" + evaluator + "\" (expected: javascript)");
        Optional<String> condition = members.text("condition").filter(script -> !script.isBlank());
        condition.ifPresent(script -> {
            if (Messages.condition(script, JsonValue.EMPTY_OBJECT) instanceof ExpressionReading.Unreadable unreadable) {
                violations.add(field + ".condition", unreadable.message() + " " + unreadable.remedy());
            }
        });
        return new HandlerDefinition(
                text, event, condition, actions(members, field, violations), members.flag("active"));
    }

    private static List<HandlerAction> actions(Members members, String field, Violations violations) {
        List<JsonValue> given = members.list("actions");
        violations.require(
                !given.isEmpty() && given.size() <= ACTIONS_MAX,
                field + ".actions",
                given.size() + " actions (expected: 1 to " + ACTIONS_MAX + ")");
        List<HandlerAction> actions = new ArrayList<>();
        for (int index = 0; index < given.size(); index++) {
            String place = field + ".actions[" + index + "]";
            Map<String, JsonValue> action = given.get(index).kind() == JsonValue.Kind.OBJECT
                    ? given.get(index).members()
                    : Map.of();
            HandlerAction.read(new Members(action, place, violations)).ifPresent(actions::add);
        }
        return actions;
    }
}
