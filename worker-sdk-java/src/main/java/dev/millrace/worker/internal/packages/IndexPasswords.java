package dev.millrace.worker.internal.packages;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds the passwords of indexes among variables. */
final class IndexPasswords {
    private static final Pattern NAME =
            Pattern.compile(".*_(?:PASSWORD|USERNAME|TOKENS?|_?AUTH)", Pattern.CASE_INSENSITIVE);
    private static final Pattern IN_ADDRESS = Pattern.compile("(?<=://)[^/\\s@]+@");

    private IndexPasswords() {}

    /** The variables without them. */
    static Map<String, String> removedFrom(Map<String, String> variables) {
        Map<String, String> left = new HashMap<>();
        variables.forEach((name, value) -> {
            if (!NAME.matcher(name).matches()) {
                left.put(name, IN_ADDRESS.matcher(value).replaceAll(""));
            }
        });
        return left;
    }
}
