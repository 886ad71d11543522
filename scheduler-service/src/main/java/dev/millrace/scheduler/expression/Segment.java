package dev.millrace.scheduler.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One segment of a path.
 *
 * @param key member of an object, or {@code length} of an array or string; null for an index
 * @param index position in an array; -1 for a key
 * @param optional whether the segment is written with {@code ?.}, so that a missing value is null
 */
public record Segment(@Nullable String key, int index, boolean optional) {
    /** Makes a segment for a member of an object, or for {@code length}. */
    public static Segment key(String key, boolean optional) {
        return new Segment(key, -1, optional);
    }

    /** Makes a segment for an element of an array. */
    public static Segment index(int index, boolean optional) {
        return new Segment(null, index, optional);
    }

    /** Returns the value that the segment leads to; null if it does not exist. */
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
