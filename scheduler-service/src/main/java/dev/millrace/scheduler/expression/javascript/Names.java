package dev.millrace.scheduler.expression.javascript;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The names that a script sees beside JavaScript's own. A dialect makes one and hands it to {@link JavaScript#read}.
 *
 * @param bindings what each name stands for
 * @param javaMethods whether arrays and objects have the methods of Java's lists and maps, too, which no listing of their members shows
 */
public record Names(Map<String, Binding> bindings, boolean javaMethods) {
    public Names {
        bindings = Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
    }

    /** Names of values that are no more than JSON. */
    public Names(Map<String, Binding> bindings) {
        this(bindings, false);
    }

    Optional<Binding> find(String name) {
        return Optional.ofNullable(bindings.get(name));
    }
}
