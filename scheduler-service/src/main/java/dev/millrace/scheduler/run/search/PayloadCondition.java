package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;

/**
 * A condition on a payload's value at a path. It does not hold if the path leads nowhere, not even for an expected
 * null.
 *
 * @param way path from the whole payload to the value
 * @param expected a string if {@code test} is CONTAINS
 */
record PayloadCondition(List<Segment> way, Test test, JsonValue expected) {
    /** Comparisons with the expected value. */
    enum Test {
        /** Equal values: numbers are compared by value, objects regardless of order. */
        EQUALS,
        /** A string that contains the expected string. */
        CONTAINS
    }

    PayloadCondition {
        requireNonNull(test, "test");
        requireNonNull(expected, "expected");
        way = List.copyOf(way);
    }

    /** Whether the condition holds for a payload; false if the payload cannot be read. */
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
