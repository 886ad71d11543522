package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;

/**
 * What a payload must hold at one place. It holds where there is such a place: what is missing is not null.
 *
 * @param way to the place, from the whole payload on
 * @param expected a text where {@code test} is CONTAINS
 */
record PayloadCondition(List<Segment> way, Test test, JsonValue expected) {
    /** How the value is compared. */
    enum Test {
        /** The same value: numbers by size, objects without regard to order. */
        EQUALS,
        /** A text with this text inside. */
        CONTAINS
    }

    PayloadCondition {
        requireNonNull(test, "test");
        requireNonNull(expected, "expected");
        way = List.copyOf(way);
    }

    /** Whether it holds for a payload; not where the way leads through what cannot be read. */
    boolean holdsFor(String payload) {
        try {
            JsonValue value = JsonValue.of(payload);
            for (Segment segment : way) {
                JsonValue next = segment.of(value);
                if (next == null) {
                    return false;
                }
                value = next;
            }
            return holdsFor(value);
        } catch (EvaluationFailed unreadable) {
            return false;
        }
    }

    private boolean holdsFor(JsonValue value) {
        return switch (test) {
            case EQUALS -> value.equals(expected) || value.sameAs(expected);
            case CONTAINS ->
                value.kind() == JsonValue.Kind.STRING && value.string().contains(expected.string());
        };
    }
}
