package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the fields of a trigger that the file of a flow declares, and collects what is wrong with them. Not thread-safe. */
public final class DeclaredFields {
    private static final String DURATION = "a duration, such as 15m or 1h";
    private static final String TIME = "a time, such as 2026-12-24T18:00:00Z";

    private final Violations violations;
    private final String place;
    private final Map<String, JsonValue> fields;

    /** @param place of the trigger in the file, for example {@code schedules.nightly} */
    DeclaredFields(Violations violations, String place, Map<String, JsonValue> fields) {
        this.violations = violations;
        this.place = place;
        this.fields = fields;
    }

    /** Refuses all fields but these. */
    public void allow(List<String> keys) {
        fields.keySet().stream()
                .filter(key -> !keys.contains(key))
                .forEach(key -> refuse(key, "is unknown (expected: one of " + String.join(", ", keys) + ")"));
    }

    /** Notes that a field is wrong. */
    public void refuse(String key, String description) {
        violations.add(place + "." + key, description);
    }

    /**
     * Takes over what a reader of messages has found.
     *
     * @param prefix of the fields in the message, which the place of the trigger replaces
     */
    public void refuse(Violations found, String prefix) {
        found.all().forEach(violation -> {
            String field = violation.field();
            String key = field.startsWith(prefix + ".") ? field.substring(prefix.length() + 1) : field;
            violations.add(place + "." + written(key), violation.description());
        });
    }

    /** The key of an item, without its index if the file gives a single text in place of a list. */
    private String written(String key) {
        String list = key.replaceFirst("\\[0]$", "");
        return value(list).filter(value -> value.kind() != JsonValue.Kind.ARRAY).isPresent() ? list : key;
    }

    public Optional<JsonValue> value(String key) {
        return Optional.ofNullable(fields.get(key));
    }

    public Optional<String> text(String key) {
        return value(key).flatMap(value -> text(value, key));
    }

    private Optional<String> text(JsonValue value, String key) {
        if (value.kind() != JsonValue.Kind.STRING) {
            refuse(key, value.shown() + " (expected: a text)");
            return Optional.empty();
        }
        return Optional.of(value.string());
    }

    /** A text, or a list of texts. */
    public List<String> texts(String key) {
        Optional<JsonValue> value = value(key);
        if (value.isEmpty()) {
            return List.of();
        }
        List<JsonValue> items =
                value.get().kind() == JsonValue.Kind.ARRAY ? value.get().elements() : List.of(value.get());
        List<String> texts = new ArrayList<>();
        for (int index = 0; index < items.size(); index++) {
            text(items.get(index), written(key + "[" + index + "]")).ifPresent(texts::add);
        }
        return texts;
    }

    public Optional<Duration> duration(String key) {
        return text(key).flatMap(text -> {
            Optional<Duration> read = Durations.parse(text);
            if (read.isEmpty()) {
                refuse(key, "\"" + text + "\" (expected: " + DURATION + ")");
            }
            return read;
        });
    }

    public Optional<Instant> time(String key) {
        return text(key).flatMap(text -> {
            try {
                return Optional.of(Instant.parse(text));
            } catch (DateTimeParseException wrong) {
                refuse(key, "\"" + text + "\" (expected: " + TIME + ")");
                return Optional.empty();
            }
        });
    }

    /** A number without fraction. */
    public OptionalInt number(String key) {
        Optional<JsonValue> value = value(key);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(value.get().text()));
        } catch (NumberFormatException wrong) {
            refuse(key, value.get().shown() + " (expected: a number without fraction)");
            return OptionalInt.empty();
        }
    }
}
