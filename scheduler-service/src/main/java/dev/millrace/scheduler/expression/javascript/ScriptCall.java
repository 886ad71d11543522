package dev.millrace.scheduler.expression.javascript;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Call of a script's function, as sent to a child process.
 *
 * @param source text of the script, for messages
 * @param function text of the function
 * @param leavesTraces whether the script may mark objects that all scripts of a realm share, so that the realm is not
 *     used again
 * @param javaMethods whether arrays and objects have the methods of Java's lists and maps
 * @param onDemand for each argument, whether the script may read members that its text does not name
 * @param arguments JSON of each argument; null if it is undefined
 */
record ScriptCall(
        String source,
        String function,
        boolean leavesTraces,
        boolean javaMethods,
        List<Boolean> onDemand,
        List<@Nullable String> arguments) {
    private static final int HEADER_PARTS = 5;
    private static final String YES = "+";
    private static final String NO = "-";

    List<@Nullable String> parts() {
        List<@Nullable String> parts = new ArrayList<>(HEADER_PARTS + arguments.size());
        parts.add(function);
        parts.add(source);
        parts.add(leavesTraces ? YES : NO);
        StringBuilder flags = new StringBuilder();
        onDemand.forEach(flag -> flags.append(flag ? YES : NO));
        parts.add(flags.toString());
        parts.add(javaMethods ? YES : NO);
        parts.addAll(arguments);
        return parts;
    }

    static ScriptCall read(List<@Nullable String> parts) {
        List<Boolean> onDemand = Objects.requireNonNull(parts.get(3))
                .chars()
                .mapToObj(flag -> flag == YES.charAt(0))
                .toList();
        return new ScriptCall(
                Objects.requireNonNull(parts.get(1)),
                Objects.requireNonNull(parts.get(0)),
                YES.equals(parts.get(2)),
                YES.equals(parts.get(4)),
                onDemand,
                parts.subList(HEADER_PARTS, parts.size()));
    }
}
