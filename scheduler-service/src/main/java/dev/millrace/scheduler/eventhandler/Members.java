package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The members of an object in a definition, read with notes of what is wrong with them. Null counts as absent. */
record Members(Map<String, JsonValue> all, String place, Violations violations) {
    /** Refuses all members but these; programs send others as null. */
    void allow(Set<String> keys) {
        all.keySet().stream()
                .filter(key -> !keys.contains(key) && value(key).isPresent())
                .forEach(key ->
                        refuse(key, "is unknown (expected: one of " + String.join(", ", new TreeSet<>(keys)) + ")"));
    }

    void refuse(String key, String why) {
        violations.add(place + "." + key, why);
    }

    Optional<JsonValue> value(String key) {
        return Optional.ofNullable(all.get(key)).filter(value -> !value.isNull());
    }

    Optional<String> text(String key) {
        return value(key).flatMap(value -> {
            if (value.kind() != JsonValue.Kind.STRING) {
                refuse(key, "is " + value.kind().phrase() + " (expected: a string)");
                return Optional.empty();
            }
            return Optional.of(value.string());
        });
    }

    /** A text that must be there; empty, with a violation, if it is not. */
    String requiredText(String key, int lengthMax) {
        String text = text(key).orElse("");
        violations.require(
                !text.isBlank() && text.length() <= lengthMax && text.indexOf('\0') < 0,
                place + "." + key,
                text.length() + " characters (expected: 1 to " + lengthMax + ", none of them NUL)");
        return text;
    }

    boolean flag(String key) {
        return value(key)
                .filter(value -> {
                    if (value.kind() != JsonValue.Kind.BOOLEAN) {
                        refuse(key, "is " + value.kind().phrase() + " (expected: true or false)");
                    }
                    return value.isTruthy();
                })
                .isPresent();
    }

    List<JsonValue> list(String key) {
        return value(key)
                .map(value -> {
                    if (value.kind() != JsonValue.Kind.ARRAY) {
                        refuse(key, "is " + value.kind().phrase() + " (expected: an array)");
                        return List.<JsonValue>of();
                    }
                    return value.elements();
                })
                .orElse(List.of());
    }

    /** The members of an object; none if it is absent. */
    Members object(String key) {
        return new Members(
                value(key)
                        .map(value -> {
                            if (value.kind() != JsonValue.Kind.OBJECT) {
                                refuse(key, "is " + value.kind().phrase() + " (expected: an object)");
                                return Map.<String, JsonValue>of();
                            }
                            return value.members();
                        })
                        .orElse(Map.of()),
                place + "." + key,
                violations);
    }
}
