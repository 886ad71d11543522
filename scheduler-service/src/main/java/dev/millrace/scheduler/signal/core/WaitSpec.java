package dev.millrace.scheduler.signal.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.StepAction.EventKind;
import dev.millrace.scheduler.flow.core.definition.StepAction.WaitEnd;
import dev.millrace.scheduler.queue.core.Json;
import java.util.List;
import java.util.Optional;

/**
 * What a wait for events waits for; its row keeps it as its input.
 *
 * @param name of the signal; may be empty for people
 * @param required how many must come
 * @param details for people: title, description, form, assignees; null for none
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

    /** Whether a signal that says this can end the wait. */
    public boolean takes(SignalKind signal) {
        return switch (signal) {
            case RESUME -> kind != EventKind.HUMAN;
            case DENY -> kind != EventKind.SIGNAL;
            case COMPLETE -> kind == EventKind.HUMAN;
        };
    }

    /** Whether it waits for people, not for a signal by name. */
    public boolean isForPeople() {
        return kind != EventKind.SIGNAL;
    }

    /** The JSON Schema that what people hand in must fit; empty where there is none. */
    public Optional<Json> form() {
        return detail("form").map(JsonValue::json);
    }

    /** The only people who may answer, possibly nobody; absent where everybody may. */
    public Optional<List<String>> assignees() {
        return detail("assignees").map(names -> switch (names.kind()) {
            case ARRAY -> names.elements().stream().map(WaitSpec::name).toList();
            case OBJECT, STRING, NUMBER, BOOLEAN, NULL -> List.of(name(names));
        });
    }

    /** Whether this person may answer. */
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
