package dev.millrace.scheduler.expression.javascript;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Names that a script can read besides those of JavaScript. A dialect makes them for {@link JavaScript#read}.
 *
 * @param bindings definition of each name
 * @param javaMethods whether arrays and objects also have the methods of Java's lists and maps, which are not
 *     enumerable
 */
public record Names(Map<String, Binding> bindings, boolean javaMethods) {
    public Names {
        bindings = Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
    }

    /** Names whose values have no methods of Java's lists and maps. */
    public Names(Map<String, Binding> bindings) {
        this(bindings, false);
    }

    Optional<Binding> find(String name) {
        return Optional.ofNullable(bindings.get(name));
    }
}
