package dev.millrace.text.bash;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A positional parameter that a script gives a name: {@code name="$1"} or {@code name="${1:-value}"}.
 *
 * @param name empty for a position without a name
 * @param position from 1
 * @param defaultValue what the script has in its place, as it is written; empty if the script has nothing
 */
public record BashParameter(String name, int position, Optional<String> defaultValue) {
    /** Names of inputs, which become variables: capitals are for those that the worker exports. */
    public static final String INPUT_NAME = "[a-z][A-Za-z0-9_]{0,99}";

    private static final Pattern LINE = Pattern.compile(
            "(?m)^[ \\t]*+([A-Za-z_]\\w*+)=\"?\\$(?:([1-9]\\d?)|\\{([1-9]\\d?)(?::?-([^}\\n]*+))?\\})\"?[ \\t]*+(?:#.*)?$");

    public BashParameter {
        requireNonNull(name, "name");
        requireNonNull(defaultValue, "defaultValue");
    }

    /** Whether the input may lack it. */
    public boolean isOptional() {
        return name.isEmpty() || defaultValue.isPresent();
    }

    /** The parameters of a script in their order, without gaps. */
    public static List<BashParameter> of(String source) {
        SortedMap<Integer, BashParameter> named = new TreeMap<>();
        Matcher matcher = LINE.matcher(source);
        while (matcher.find()) {
            String digits = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            int position = Integer.parseInt(digits);
            named.putIfAbsent(
                    position, new BashParameter(matcher.group(1), position, Optional.ofNullable(matcher.group(4))));
        }
        List<BashParameter> all = new ArrayList<>();
        for (int position = 1; position <= (named.isEmpty() ? 0 : named.lastKey()); position++) {
            all.add(named.getOrDefault(position, new BashParameter("", position, Optional.empty())));
        }
        return all;
    }
}
