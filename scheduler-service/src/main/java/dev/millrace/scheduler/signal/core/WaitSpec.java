package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.queue.core.Json;
import java.util.List;
import java.util.Optional;

/**
 * What a wait for events waits for. The row of the wait stores it as its input.
 *
 * @param name of the signal; may be empty for people
 * @param required number of signals or answers that must arrive
 * @param details for people: title, description, form, assignees, self_approval; null for none
 */
public record WaitSpec(EventKind kind, String name, int required, Json details, WaitEnd onTimeout, WaitEnd onDenial) {
    public WaitSpec {
        requireNonNull(kind, "kind");
        requireNonNull(name, "name");
        requireNonNull(details, "details");
        requireNonNull(onTimeout, "onTimeout");
        requireNonNull(onDenial, "onDenial");
        if (required < 1) {
            throw new IllegalArgumentException("required: " + required + " (expected: at least 1)");
        }
    }

    /** Returns whether a signal of this kind can count for the wait. */
    public boolean takes(SignalKind signal) {
        return switch (signal) {
            case RESUME -> kind != EventKind.HUMAN;
            case DENY -> kind != EventKind.SIGNAL;
            case COMPLETE -> kind == EventKind.HUMAN;
            case FAIL -> kind == EventKind.SIGNAL;
        };
    }

    /** Returns whether the wait is for people, as opposed to a signal by name. */
    public boolean isForPeople() {
        return kind != EventKind.SIGNAL;
    }

    /** What people are asked for, in one line; empty if nothing says it. */
    public Optional<String> title() {
        return detail("title")
                .filter(title -> title.kind() == JsonValue.Kind.STRING)
                .map(JsonValue::string);
    }

    /** The JSON Schema that answers must match; empty if there is none. */
    public Optional<Json> form() {
        return detail("form").map(JsonValue::json);
    }

    /** The only people who may answer, possibly nobody; empty if anyone may answer. */
    public Optional<List<String>> assignees() {
        return detail("assignees").map(names -> switch (names.kind()) {
            case ARRAY -> names.elements().stream().map(WaitSpec::name).toList();
            case OBJECT, STRING, NUMBER, BOOLEAN, NULL -> List.of(name(names));
        });
    }

    /** Returns whether whoever started the run may answer. */
    public boolean allowsSelfApproval() {
        return detail("self_approval")
                .filter(value -> value.kind() == JsonValue.Kind.BOOLEAN && !value.isTruthy())
                .isEmpty();
    }

    /** Returns whether a person may answer. */
    public boolean mayAnswer(String who) {
        return assignees().map(names -> names.contains(who)).orElse(true);
    }

    private static String name(JsonValue value) {
        return value.kind() == JsonValue.Kind.STRING ? value.string() : value.text();
    }

    private Optional<JsonValue> detail(String name) {
        JsonValue all = JsonValue.of(details);
        return all.kind() == JsonValue.Kind.OBJECT
                ? Optional.ofNullable(all.members().get(name)).filter(value -> !value.isNull())
                : Optional.empty();
    }
}
