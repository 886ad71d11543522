package dev.millrace.scheduler.expression.javascript;

import java.util.List;
import java.util.Set;

/** Names of the methods of Java's lists and maps. In some dialects, arrays and objects have these methods. */
final class JavaMethods {
    /**
     * Methods whose calls mark a script that uses them. {@code forEach} and {@code values} are left out, because other
     * scripts call them as well.
     */
    private static final Set<String> NAMES = Set.of(
            "get",
            "size",
            "isEmpty",
            "contains",
            "containsAll",
            "containsKey",
            "containsValue",
            "keySet",
            "entrySet",
            "getOrDefault",
            "getFirst",
            "getLast",
            "put",
            "putAll",
            "putIfAbsent",
            "add",
            "addAll",
            "set",
            "remove",
            "clear",
            "subList",
            "toArray");

    private JavaMethods() {}

    /** Whether a script may call one of the methods. */
    static boolean mayBeCalled(List<Token> tokens) {
        for (int i = 1; i + 1 < tokens.size(); i++) {
            boolean member = tokens.get(i - 1).is(".") || tokens.get(i - 1).is("?.");
            boolean called = tokens.get(i + 1).is("(") || tokens.get(i + 1).is("?.");
            if (member && called && NAMES.contains(tokens.get(i).text())) {
                return true;
            }
        }
        return false;
    }
}
