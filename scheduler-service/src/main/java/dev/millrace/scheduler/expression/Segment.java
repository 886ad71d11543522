package dev.millrace.scheduler.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a path into a value.
 *
 * @param key member of an object, or {@code length} of an array or string; null for an index
 * @param index position in an array; -1 for a key
 * @param optional written with {@code ?.}: what is missing is null
 */
public record Segment(@Nullable String key, int index, boolean optional) {
    /** A member of an object, or {@code length}. */
    public static Segment key(String key, boolean optional) {
        return new Segment(key, -1, optional);
    }

    /** An element of an array. */
    public static Segment index(int index, boolean optional) {
        return new Segment(null, index, optional);
    }

    /** The value one step further; null where there is none. */
    public @Nullable JsonValue of(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> value.members().get(key != null ? key : Integer.toString(index));
            case ARRAY ->
                key == null
                        ? element(value.elements())
                        : lengthOr(value.elements().size());
            case STRING -> key == null ? null : lengthOr(value.string().length());
            case NUMBER, BOOLEAN, NULL -> null;
        };
    }

    private @Nullable JsonValue element(List<JsonValue> elements) {
        return index < elements.size() ? elements.get(index) : null;
    }

    private @Nullable JsonValue lengthOr(int length) {
        return "length".equals(key) ? JsonValue.of(length) : null;
    }

    @Override
    public String toString() {
        String dot = optional ? "?." : ".";
        if (key == null) {
            return (optional ? "?." : "") + "[" + index + "]";
        }
        return PathReader.isName(key) ? dot + key : (optional ? "?." : "") + "[" + JsonStrings.quote(key) + "]";
    }
}
