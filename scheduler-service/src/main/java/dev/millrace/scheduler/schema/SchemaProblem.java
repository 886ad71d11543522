package dev.millrace.scheduler.schema;

import static java.util.Objects.requireNonNull;

import com.networknt.schema.JsonNodePath;
import com.networknt.schema.ValidationMessage;
import java.util.Objects;

/**
 * One rule of a schema that a value breaks.
 *
 * @param pointer place in the value, as a JSON pointer such as {@code /items/2/name}; empty for the whole value
 * @param path the same place for people, such as {@code items[2].name}
 * @param message what is wrong, without the place and without a full stop, such as {@code must be at least 0}
 * @param rule the broken rule, as a pointer into the schema such as {@code #/properties/age/minimum}; empty if no rule
 *     is to blame
 * @param property the key that is missing or unknown; empty if that is not the problem
 */
public record SchemaProblem(String pointer, String path, String message, String rule, String property) {
    public SchemaProblem {
        requireNonNull(pointer, "pointer");
        requireNonNull(path, "path");
        requireNonNull(message, "message");
        requireNonNull(rule, "rule");
        requireNonNull(property, "property");
    }

    static SchemaProblem whole(String message) {
        return new SchemaProblem("", "", message, "", "");
    }

    static SchemaProblem of(ValidationMessage message) {
        JsonNodePath place = message.getInstanceLocation();
        return new SchemaProblem(
                place.toString(),
                path(place),
                BrokenRule.words(message),
                "#" + message.getSchemaLocation().getFragment(),
                Objects.requireNonNullElse(message.getProperty(), ""));
    }

    private static String path(JsonNodePath place) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < place.getNameCount(); i++) {
            if (place.getElement(i) instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(place.getElement(i));
            }
        }
        return path.toString();
    }
}
