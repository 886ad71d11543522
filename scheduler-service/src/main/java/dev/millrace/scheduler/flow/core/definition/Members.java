package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Typed access to the members of an object that a run has produced. Null members count as absent. Members of another
 * type and unknown members cause an {@link IllegalArgumentException}.
 */
final class Members {
    private final Map<String, JsonValue> members;

    /**
     * Reads the members of an object.
     *
     * @param name of the object, for messages
     * @param known the members that the object may have
     */
    Members(String name, JsonValue object, List<String> known) {
        if (object.kind() != JsonValue.Kind.OBJECT) {
            throw wrong(name, object, "an object");
        }
        members = object.members();
        members.keySet().stream()
                .filter(key -> !known.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException(
                            key + ": unknown member of " + name + " (expected: " + String.join(", ", known) + ")");
                });
    }

    Optional<Members> object(String key, List<String> known) {
        return find(key).map(value -> new Members(key, value, known));
    }

    /** Returns the elements of an array of objects; empty if the member is absent. */
    List<Members> objects(String key, List<String> known) {
        List<Members> objects = new ArrayList<>();
        find(key).ifPresent(value -> {
            if (value.kind() != JsonValue.Kind.ARRAY) {
                throw wrong(key, value, "an array");
            }
            value.elements().forEach(element -> objects.add(new Members(key, element, known)));
        });
        return objects;
    }

    Optional<String> text(String key) {
        return find(key).map(value -> {
            if (value.kind() != JsonValue.Kind.STRING) {
                throw wrong(key, value, "a string");
            }
            return value.string();
        });
    }

    Optional<Boolean> bool(String key) {
        return find(key).map(value -> {
            if (value.kind() != JsonValue.Kind.BOOLEAN) {
                throw wrong(key, value, "true or false");
            }
            return value.isTruthy();
        });
    }

    Optional<Double> number(String key) {
        return find(key).map(value -> {
            if (value.kind() != JsonValue.Kind.NUMBER) {
                throw wrong(key, value, "a number");
            }
            return Double.valueOf(value.text());
        });
    }

    Optional<Integer> whole(String key) {
        return number(key).map(number -> {
            if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(key + ": " + number + " (expected: a whole number)");
            }
            return number.intValue();
        });
    }

    Optional<Duration> duration(String key) {
        return find(key)
                .map(value -> WaitTimes.duration(value)
                        .orElseThrow(() -> wrong(key, value, "seconds as a number, or a duration such as 5m")));
    }

    private Optional<JsonValue> find(String key) {
        return Optional.ofNullable(members.get(key)).filter(value -> !value.isNull());
    }

    private static IllegalArgumentException wrong(String name, JsonValue value, String expected) {
        return new IllegalArgumentException(name + ": " + value.shown() + " (expected: " + expected + ")");
    }
}
