package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Negated;
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
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
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
    /** Key of a module. */
    static final String KEY = "suspend";

    private static final String REQUIRED = "required_events";
    /** Appearance of Windmill's approval page. */
    private static final String SKIN = "skin";

    private static final String SELF_APPROVAL_DISABLED = "self_approval_disabled";

    private static final List<String> KEYS = List.of(
            REQUIRED,
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

    /** What a gate that ended without an approval leaves, in Windmill's words. */
    private static final String ERROR = """
            {error: wait.denied ? {message: 'Disapproved', name: 'SuspendedDisapproved'}
                : {message: 'Timed out waiting to be resumed', name: 'SuspendedTimedOut'}}
            """;

    private static final String IS_UNAPPROVED = "wait?.denied || wait?.timed_out";
    private static final String RESUME_OR_ERROR = IS_UNAPPROVED + " ? " + ERROR + " : wait?.payload ?? null";
    private static final String RESUMES_AND_ERROR =
            IS_UNAPPROVED + " ? [...wait.payloads, " + ERROR + "] : wait?.payloads ?? []";

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
        return module.find(KEY).flatMap(node -> {
            Fields fields = reading.fields(node, module.path(KEY), "a suspension", KEYS);
            refuseUsers(fields);
            fields.ignore(List.of(SKIN), "has no effect here.", "Remove it, or leave it for Windmill.");
            int required = fields.whole(REQUIRED, 0, EVENTS_MAX).orElse(0);
            warnOfNobody(fields);
            Step step = new Step(
                    reading.freeId(id + "_suspend"),
                    List.of(id),
                    new StepAction.Wait(events(fields, id, required)),
                    StepPolicy.NONE
                            .change()
                            .skip(Optional.of(unlessSucceeded(id)))
                            .build());
            if (required == 0 || !reading.steps().add(step.id(), place)) {
                return Optional.empty();
            }
            reading.addGate(step.id());
            return Optional.of(step);
        });
    }

    private void warnOfNobody(Fields fields) {
        if (fields.isObject() && !fields.has(REQUIRED)) {
            reading.warn(
                    fields.mark(),
                    fields.path(),
                    "Without " + REQUIRED + ", the flow waits for nobody, as in Windmill.",
                    "Add " + REQUIRED + ": 1 to wait for one person, or remove suspend.");
        }
    }

    /** A module that was skipped, or failed although the flow continues, has asked nobody. */
    private static StepPolicy.Skip unlessSucceeded(String id) {
        return new StepPolicy.Skip(
                new Template.Whole(new Negated(new Template.Whole(new Succeeded(id)))), Template.Constant.NULL);
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

    /**
     * Values that the wait provides to the next step. If the flow continues without an approval, {@code resume} and the
     * last element of {@code resumes} have an {@code error}, as every tolerated failure has.
     */
    static Approval approval(Step wait) {
        boolean continuesOnDenial = wait.action() instanceof StepAction.Wait(WaitFor.Events events)
                && events.onDenial() == WaitEnd.CONTINUE;
        Path result = new Path(new Root.StepResultIfAny(wait.id()));
        return new Approval(
                continuesOnDenial
                        ? read(result, RESUME_OR_ERROR)
                        : new Path(result.root(), List.of(Segment.key("payload", true))),
                read(result, continuesOnDenial ? RESUMES_AND_ERROR : "wait?.payloads ?? []"),
                read(result, "wait?.approvers ?? []"));
    }

    private static Expression read(Path wait, String script) {
        return switch (JavaScript.read(script, new Names(Map.of("wait", new Binding.Value(wait))))) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable _ -> Composed.constant(JsonValue.NULL);
        };
    }
}
