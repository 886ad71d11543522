package dev.millrace.scheduler.trigger.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Locale;
import java.util.Optional;

/** Finds values in contents of messages that tell one message from another. */
public final class MemberPath {
    private MemberPath() {}

    /**
     * The text, number or truth value at a path, as a text; empty if there is none.
     *
     * @param path names of members, separated by dots
     */
    public static Optional<String> text(JsonValue content, String path) {
        JsonValue value = content;
        for (String name : path.split("\\.", -1)) {
            if (value.kind() != JsonValue.Kind.OBJECT) {
                return Optional.empty();
            }
            value = value.members().getOrDefault(name, JsonValue.NULL);
        }
        return switch (value.kind()) {
            case STRING -> Optional.of(value.string());
            case NUMBER, BOOLEAN -> Optional.of(value.toString().toLowerCase(Locale.ROOT));
            case OBJECT, ARRAY, NULL -> Optional.empty();
        };
    }
}
