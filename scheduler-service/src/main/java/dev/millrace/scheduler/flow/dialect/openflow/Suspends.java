package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.openflow.Sight.Approval;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of {@code suspend}: a wait for people directly after the module. */
final class Suspends {
    /** Appearance of Windmill's approval page. */
    private static final String SKIN = "skin";

    private static final String SELF_APPROVAL_DISABLED = "self_approval_disabled";

    private static final List<String> KEYS = List.of(
            "required_events",
            "timeout",
            "resume_form",
            "hide_cancel",
            SKIN,
            "continue_on_disapprove_timeout",
            "user_auth_required",
            "user_groups_required",
            SELF_APPROVAL_DISABLED);
    private static final List<String> FORM_KEYS = List.of("schema");
    private static final int EVENTS_MAX = 1_000;
    private static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(30);
    private static final int TIMEOUT_SECONDS_MAX = 365 * 24 * 3_600;

    private static final String RESUME_OR_ERROR = """
            wait.denied ? {error: {name: 'Denied', message: 'The approval was denied.'}}
                : wait.timed_out ? {error: {name: 'TimedOut', message: 'Nobody approved in time.'}}
                : wait.payload
            """;

    private final Reading reading;

    Suspends(Reading reading) {
        this.reading = reading;
    }

    /**
     * Reads the wait; empty if the module has none.
     *
     * @param place of the wait
     */
    Optional<Step> read(Fields module, String id, Place place) {
        return module.find("suspend").flatMap(node -> {
            Fields fields = reading.fields(node, module.path("suspend"), "a suspension", KEYS);
            refuseUsers(fields);
            fields.ignore(List.of(SKIN), "has no effect here.", "Remove it, or leave it for Windmill.");
            int required = fields.whole("required_events", 0, EVENTS_MAX).orElse(1);
            Step step = new Step(freeId(id), List.of(id), new StepAction.Wait(events(fields, id, required)));
            return required == 0 || !reading.steps().add(step.id(), place) ? Optional.empty() : Optional.of(step);
        });
    }

    private WaitFor events(Fields fields, String id, int required) {
        int seconds = fields.whole("timeout", 1, TIMEOUT_SECONDS_MAX).orElse((int) TIMEOUT_DEFAULT.toSeconds());
        WaitEnd end = fields.bool("continue_on_disapprove_timeout").orElse(false) ? WaitEnd.CONTINUE : WaitEnd.FAIL;
        fields.bool("hide_cancel");
        return new WaitFor.Events(
                EventKind.APPROVAL,
                new Template.Constant(JsonValue.ofString(id)),
                Math.max(1, required),
                details(fields, id),
                Optional.of(Duration.ofSeconds(seconds)),
                end,
                end);
    }

    private Template details(Fields fields, String id) {
        Map<String, Template> details = new LinkedHashMap<>();
        details.put("title", new Template.Constant(JsonValue.ofString(id)));
        if (fields.bool(SELF_APPROVAL_DISABLED).orElse(false)) {
            details.put("self_approval", new Template.Constant(JsonValue.FALSE));
        }
        fields.find("resume_form").ifPresent(node -> {
            Fields form = reading.fields(node, fields.path("resume_form"), "a form", FORM_KEYS);
            form.find("schema")
                    .ifPresent(schema -> details.put(
                            "form", new Template.Constant(new Constants(reading).read(schema, form.path("schema")))));
        });
        return Template.object(details);
    }

    private void refuseUsers(Fields fields) {
        if (fields.bool("user_auth_required").orElse(false)) {
            refuseUsers(fields, "user_auth_required");
        }
        if (fields.find("user_groups_required").isPresent()) {
            refuseUsers(fields, "user_groups_required");
        }
    }

    private void refuseUsers(Fields fields, String key) {
        reading.problem(
                fields.find(key).orElseThrow().mark(),
                fields.path(key),
                key + " is not supported: a link answers for whoever has it.",
                "Remove it, and give the links only to people who may approve.");
    }

    private String freeId(String id) {
        String free = id + "_suspend";
        while (reading.steps().contains(free)) {
            free += "_";
        }
        return free;
    }

    /**
     * Values that the wait provides to the next step. If the flow continues without an approval, {@code resume} has an
     * {@code error}, as every tolerated failure has.
     */
    static Approval approval(Step wait) {
        boolean continuesOnDenial = wait.action() instanceof StepAction.Wait(WaitFor.Events events)
                && events.onDenial() == WaitEnd.CONTINUE;
        return new Approval(
                continuesOnDenial ? resumeOrError(wait.id()) : member(wait.id(), "payload"),
                member(wait.id(), "payloads"),
                member(wait.id(), "approvers"));
    }

    private static Expression member(String waitId, String key) {
        return new Path(new Root.StepResultIfAny(waitId), List.of(Segment.key(key, true)));
    }

    private static Expression resumeOrError(String waitId) {
        Names names = new Names(Map.of("wait", new Binding.Value(new Path(new Root.StepResultIfAny(waitId)))));
        return switch (JavaScript.read(RESUME_OR_ERROR, names)) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable _ -> Composed.constant(JsonValue.NULL);
        };
    }
}
