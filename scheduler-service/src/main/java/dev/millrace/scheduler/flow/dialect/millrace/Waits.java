package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.definition.WaitTimes;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.Schemas;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of {@code wait}. */
final class Waits {
    private static final List<String> EVENTS = List.of("signal", "approval", "human");
    private static final List<String> ENDS =
            Stream.concat(Stream.of("for", "until"), EVENTS.stream()).toList();
    private static final List<String> EVENT_KEYS = List.of("required", "details", "timeout", "on_timeout", "on_denial");
    private static final List<String> KEYS =
            Stream.concat(ENDS.stream(), EVENT_KEYS.stream()).toList();
    /** Maximum number of events that one wait requires. */
    private static final int REQUIRED_MAX = 1_000;

    private final StepParts parts;

    Waits(StepParts parts) {
        this.parts = parts;
    }

    StepAction.Wait read(Fields step) {
        Fields fields = parts.object(step, "wait", "a wait", KEYS);
        List<String> given = ENDS.stream().filter(fields::has).toList();
        if (given.size() != 1 && fields.isObject()) {
            parts.reading()
                    .problem(
                            fields.mark(),
                            fields.path(),
                            given.isEmpty()
                                    ? "The wait does not say what it waits for."
                                    : "The wait has more than one end: " + String.join(", ", given) + ".",
                            "Give it exactly one of " + String.join(", ", ENDS) + ".");
        }
        return new StepAction.Wait(
                switch (given.isEmpty() ? "for" : given.getFirst()) {
                    case "for" -> delay(fields);
                    case "until" -> until(fields);
                    default -> events(fields, given.getFirst());
                });
    }

    private WaitFor delay(Fields fields) {
        fields.refuse(EVENT_KEYS, "does not apply to a wait for a time.", "Remove it.");
        return new WaitFor.Delay(duration(parts, fields, "for"));
    }

    /** Reads a time to wait: a duration, a number of seconds, or an expression for either. */
    static Template duration(StepParts parts, Fields fields, String key, Sight... sights) {
        Template value = parts.template(fields, key, sights).orElse(Template.Constant.NULL);
        if (fields.has(key)
                && value instanceof Template.Constant(JsonValue constant)
                && WaitTimes.duration(constant).isEmpty()) {
            parts.reading()
                    .problem(
                            fields.find(key).orElseThrow().mark(),
                            fields.path(key),
                            key + " is " + fields.find(key).orElseThrow().shown()
                                    + " (expected: a duration or a number of seconds).",
                            "Write a whole number with a unit, for example 250ms, 30s, 5m or 2h.");
        }
        return value;
    }

    private WaitFor until(Fields fields) {
        fields.refuse(EVENT_KEYS, "does not apply to a wait for a time.", "Remove it.");
        Template value = parts.template(fields, "until").orElse(Template.Constant.NULL);
        if (value instanceof Template.Constant(JsonValue constant)
                && WaitTimes.moment(constant).isEmpty()) {
            parts.reading()
                    .problem(
                            fields.find("until").orElseThrow().mark(),
                            fields.path("until"),
                            "until is " + fields.find("until").orElseThrow().shown() + " (expected: a moment).",
                            "Write it as RFC 3339, for example 2030-01-31T08:00:00Z, or as milliseconds since 1970.");
        }
        return new WaitFor.Until(value);
    }

    private WaitFor events(Fields fields, String kind) {
        if (kind.equals("signal")) {
            fields.refuse(List.of("on_denial"), "does not apply to a signal.", "Remove it, or wait for an approval.");
        }
        return new WaitFor.Events(
                EventKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                name(fields, kind),
                fields.whole("required", 1, REQUIRED_MAX).orElse(1),
                details(fields),
                fields.duration("timeout", Duration.ofMillis(1), FlowLimits.WAIT_MAX),
                end(fields, "on_timeout"),
                end(fields, "on_denial"));
    }

    private Template details(Fields fields) {
        Template details = parts.object(fields, "details", "Write for example {title: Ship it?}.")
                .orElse(Template.Constant.NULL);
        if (form(details) instanceof Template.Constant(JsonValue form)
                && fields.find("details").orElse(null) instanceof SourceNode.Mapping mapping) {
            mapping.entries().stream()
                    .filter(entry -> entry.key().equals("form"))
                    .forEach(entry -> Schemas.check(
                            entry.value(),
                            Paths.member(fields.path("details"), "form"),
                            form,
                            parts.reading().problems()));
        }
        return details;
    }

    private static @Nullable Template form(Template details) {
        return switch (details) {
            case Template.Members members -> members.members().get("form");
            case Template.Constant(JsonValue value) ->
                value.kind() == JsonValue.Kind.OBJECT && value.members().containsKey("form")
                        ? new Template.Constant(value.members().get("form"))
                        : null;
            case Template.Whole _, Template.Text _, Template.Elements _ -> null;
        };
    }

    private Template name(Fields fields, String kind) {
        Template name = parts.template(fields, kind).orElse(Template.Constant.NULL);
        if (name instanceof Template.Constant(JsonValue constant)
                && (constant.kind() != JsonValue.Kind.STRING
                        || constant.string().isBlank())) {
            parts.reading()
                    .problem(
                            fields.find(kind).orElseThrow().mark(),
                            fields.path(kind),
                            kind + " is " + fields.find(kind).orElseThrow().shown() + " (expected: a name).",
                            "Write the name of the event, for example " + kind + ": release.");
        }
        return name;
    }

    private WaitEnd end(Fields fields, String key) {
        return Words.read(parts.reading(), fields, key, List.of("fail", "continue"), "fail")
                        .equals("continue")
                ? WaitEnd.CONTINUE
                : WaitEnd.FAIL;
    }
}
