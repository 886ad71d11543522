package dev.millrace.scheduler.expression.javascript;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The names that a script sees beside JavaScript's own. A dialect makes one and hands it to {@link JavaScript#read}.
 *
 * @param bindings what each name stands for
 */
public record Names(Map<String, Binding> bindings) {
    public Names {
        bindings = Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
    }

    Optional<Binding> find(String name) {
        return Optional.ofNullable(bindings.get(name));
    }
}
