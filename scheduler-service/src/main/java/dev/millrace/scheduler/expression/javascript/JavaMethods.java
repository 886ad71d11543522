package dev.millrace.scheduler.expression.javascript;

import java.util.List;
import java.util.Set;

/** The methods of Java's lists and maps, which the values of some dialects have beside being arrays and objects. */
final class JavaMethods {
    /** Methods that a call of tells such a script by; {@code forEach} and {@code values} are common in others. */
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

    /** Whether a script may call one of them. */
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
