package dev.millrace.scheduler.expression;

import java.util.List;

/** True where a condition is not, as JavaScript understands it. */
public record Negated(Template condition) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return new Composed(condition).evaluate(scope).isTruthy() ? JsonValue.FALSE : JsonValue.TRUE;
    }

    @Override
    public Reads reads() {
        return new Composed(condition).reads();
    }

    @Override
    public List<Path> paths() {
        return new Composed(condition).paths();
    }
}
