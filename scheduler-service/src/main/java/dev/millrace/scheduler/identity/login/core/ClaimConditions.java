package dev.millrace.scheduler.identity.login.core;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values that claims of a JWT must have. Values are compared as a whole: a pattern would soon let in a repository or a
 * branch whose name only looks alike.
 *
 * @param values by the names of the claims; at least one, because without a condition every job of a public CI system
 *     would do
 */
public record ClaimConditions(Map<String, String> values) {
    private static final int CONDITIONS_MAX = 20;
    private static final int NAME_LENGTH_MAX = 200;
    private static final int VALUE_LENGTH_MAX = 1_000;

    public ClaimConditions {
        if (values.isEmpty() || values.size() > CONDITIONS_MAX) {
            throw new IllegalArgumentException(values.size() + " conditions (expected: 1 to " + CONDITIONS_MAX
                    + ", such as the claims sub or repository)");
        }
        values.forEach(ClaimConditions::check);
        values = Map.copyOf(values);
    }

    /** The conditions in the order of their claims. */
    public SortedMap<String, String> sorted() {
        return new TreeMap<>(values);
    }

    /** Whether the claims meet all conditions. A claim that is a list must hold the value. */
    public boolean areMetBy(Map<String, ?> claims) {
        return values.entrySet().stream()
                .allMatch(condition -> isMet(condition.getValue(), claims.get(condition.getKey())));
    }

    private static boolean isMet(String expected, @Nullable Object claim) {
        return switch (claim) {
            case null -> false;
            case String text -> text.equals(expected);
            case Boolean flag -> flag.toString().equals(expected);
            case Number number -> number.toString().equals(expected);
            case Collection<?> list -> List.copyOf(list).contains(expected);
            default -> false;
        };
    }

    private static void check(String name, String value) {
        if (!isText(name, NAME_LENGTH_MAX) || !isText(value, VALUE_LENGTH_MAX)) {
            throw new IllegalArgumentException(
                    "\"" + name.replace("\0", "\\0") + "\" or its value is empty, too long or has a"
                            + " NUL character (expected: a name of at most " + NAME_LENGTH_MAX
                            + " characters and a value of at most "
                            + VALUE_LENGTH_MAX + ")");
        }
    }

    private static boolean isText(String text, int lengthMax) {
        return !text.isBlank() && text.length() <= lengthMax && text.indexOf('\0') < 0;
    }
}
