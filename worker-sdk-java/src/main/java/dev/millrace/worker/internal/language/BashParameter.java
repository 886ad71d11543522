package dev.millrace.worker.internal.language;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A positional parameter that a script gives a name: {@code name="$1"} or {@code name="${1:-value}"}.
 *
 * @param name empty for a position without a name
 * @param position from 1
 * @param isOptional whether the script has a value for it
 */
record BashParameter(String name, int position, boolean isOptional) {
    private static final Pattern LINE = Pattern.compile(
            "(?m)^[ \\t]*([A-Za-z_]\\w*)=\"?\\$(?:([1-9]\\d?)|\\{([1-9]\\d?)(:?-[^}\\n]*)?\\})\"?[ \\t]*(?:#.*)?$");

    /** The parameters in their order, without gaps. */
    static List<BashParameter> of(String source) {
        SortedMap<Integer, BashParameter> named = new TreeMap<>();
        Matcher matcher = LINE.matcher(source);
        while (matcher.find()) {
            String digits = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            int position = Integer.parseInt(digits);
            named.putIfAbsent(position, new BashParameter(matcher.group(1), position, matcher.group(4) != null));
        }
        List<BashParameter> all = new ArrayList<>();
        for (int position = 1; position <= (named.isEmpty() ? 0 : named.lastKey()); position++) {
            all.add(named.getOrDefault(position, new BashParameter("", position, true)));
        }
        return all;
    }
}
